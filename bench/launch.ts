// A target's process: started, waited for until it answers 200, watched, ended.
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { start } from "../test/process.ts";
import { temporaryFolder } from "../test/temporary.ts";
import { serverPrefix } from "./machine.ts";
import { environment, type Target } from "./targets.ts";
import { apiKey } from "./trials.ts";

export interface Server {
	/** With the base path. */
	readonly url: string;
	/** From the process's start to its first 200. */
	readonly startMs: number;
	/** Of the first page, or empty. */
	readonly etag: string;
	readonly residentMb: () => number;
	readonly stop: () => Promise<void>;
}

export async function launch(
	target: Target,
	given: { catalogue: string; reply: string; wrapper?: readonly string[] },
): Promise<Server> {
	const folder = temporaryFolder();
	const port = await freePort();
	const place = { ...given, port, folder: folder.path };
	target.prepare?.(place);
	const [program, ...args] = [
		...serverPrefix(),
		...(given.wrapper ?? []),
		...target.command(place),
	];
	const begun = performance.now();
	const running = start([program ?? "", ...args], {
		cwd: folder.path,
		env: environment,
	});
	const url = `http://127.0.0.1:${port}${target.basePath ?? "/v1"}`;
	const first = await firstReply(`${url}/pets`, target.name, () =>
		Object.values(running.output()).join(""),
	);
	return {
		url,
		startMs: first.at - begun,
		etag: first.etag,
		residentMb: () => residentMb(running.pid),
		async stop() {
			running.kill("SIGTERM");
			const patience = setTimeout(() => running.kill("SIGKILL"), 3_000);
			await running.finished;
			clearTimeout(patience);
			folder.remove();
		},
	};
}

async function firstReply(
	url: string,
	name: string,
	output: () => string,
): Promise<{ at: number; etag: string }> {
	const deadline = performance.now() + 30_000;
	let last: unknown;
	while (performance.now() < deadline) {
		try {
			const response = await fetch(url, { headers: authorization });
			const at = performance.now();
			last = await response.text();
			// The bounds answer every trial's reply, whatever is asked.
			if (response.status < 500 && response.status !== 404)
				return { at, etag: response.headers.get("etag") ?? "" };
		} catch (error) {
			last = error;
		}
		await Bun.sleep(1);
	}
	throw new Error(`${name} did not start: ${last} ${output()}`);
}

const authorization = { Authorization: `Bearer ${apiKey}` };

function residentMb(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

async function freePort(): Promise<number> {
	const { promise, resolve } = Promise.withResolvers<void>();
	const listener = createServer().listen(0, "127.0.0.1", resolve);
	await promise;
	const address = listener.address();
	listener.close();
	return typeof address === "object" ? (address?.port ?? 0) : 0;
}
