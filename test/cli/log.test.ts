// The log of `petstore serve` on a terminal and elsewhere: its format.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { petstore, serve, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
	folder = temporaryFolder();
});
afterEach(() => {
	for (const service of onTerminals) service.kill("SIGKILL");
	folder.remove();
});

/** The services that a failed test has left running. */
const onTerminals = new Set<Bun.Subprocess>();
const apiKey = "a-key-known-to-the-tests";

describe("on a terminal", () => {
	test("prints lines of text, and a line for a request", async () => {
		const service = await serveOnTerminal(["--log-requests"]);
		const headers = { Authorization: `Bearer ${apiKey}` };
		await fetch(`${service.url}/v1/pets`, { headers });
		const shown = await service.stop();
		expect(shown).toMatch(
			/^\d\d:\d\d:\d\dZ info {2}listening url=http:\S+ database=sqlite:data\/petstore\.db$/m,
		);
		expect(shown).toMatch(
			/^\S+Z info {2}200 +\d+ms GET {5}\/v1\/pets keyId=PETSTORE_API_KEY$/m,
		);
		expect(shown).toMatch(/ stopping signal=SIGTERM$/m);
		expect(shown).toMatch(/ stopped$/m);
	});
});

test("prints JSON lines on a pipe", async () => {
	const service = await serve([], { cwd: folder.path });
	service.kill("SIGTERM");
	const { stderr } = await service.finished;
	for (const line of stderr.trim().split("\n")) JSON.parse(line);
});

/** A service whose output is a terminal of 80 columns. `stop` returns what the terminal has shown. */
async function serveOnTerminal(flags: readonly string[]) {
	let shown = "";
	const decoder = new TextDecoder();
	const service = Bun.spawn([petstore, "serve", "--port", "0", ...flags], {
		cwd: folder.path,
		env: { PATH: process.env.PATH, PETSTORE_API_KEY: apiKey },
		terminal: {
			cols: 80,
			rows: 24,
			data(_terminal, bytes) {
				shown += decoder.decode(bytes, { stream: true });
			},
		},
	});
	onTerminals.add(service);
	const url = await waitFor(
		() => urlIn(shown),
		() => shown,
	);
	return {
		url,
		async stop() {
			service.kill("SIGTERM");
			await service.exited;
			await waitFor(
				() => /stopped\W*$/.exec(shown) ?? undefined,
				() => shown,
			);
			onTerminals.delete(service);
			service.terminal?.close();
			return shown.replaceAll("\r\n", "\n");
		},
	};
}

function urlIn(log: string): string | undefined {
	return /http:\/\/127\.0\.0\.1:\d+/.exec(log)?.[0];
}
