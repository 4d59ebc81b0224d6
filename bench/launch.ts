// A target's process: started, waited for until it answers 200, watched, ended.
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
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
		...(given.wrapper ?? []),
		...serverPrefix(),
		...target.command(place),
	];
	const begun = performance.now();
	const running = start([program ?? "", ...args], {
		cwd: folder.path,
		env: environment,
	});
	const url = `http://127.0.0.1:${port}${target.basePath ?? "/v1"}`;
	const first = await firstReply(
		`${url}/pets`,
		// Those that repeat a reply give it to whatever is asked.
		({ status }) => status === 200 || target.repeats === true,
		() => `${target.name} did not start: ${running.output().stderr}`,
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
	isReady: (response: Response) => boolean,
	otherwise: () => string,
): Promise<{ at: number; etag: string }> {
	const deadline = performance.now() + 30_000;
	while (performance.now() < deadline) {
		// Refused until it listens.
		const response = await fetch(url, { headers }).catch(() => undefined);
		const at = performance.now();
		await response?.text();
		if (response !== undefined && isReady(response))
			return { at, etag: response.headers.get("etag") ?? "" };
		await Bun.sleep(1);
	}
	throw new Error(otherwise());
}

const headers = { Authorization: `Bearer ${apiKey}` };

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
