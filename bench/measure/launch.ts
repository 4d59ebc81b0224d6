// The process of a target: starts it, waits for its first reply, and stops it.
import { readFileSync } from "node:fs";
import { freePort } from "../../harness/free-port.ts";
import { start } from "../../harness/process.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import { serverPrefix } from "../machine/cores.ts";
import {
	environment,
	type ServerOptions,
	type Target,
} from "../plan/targets.ts";
import { apiKey } from "../plan/trials.ts";

export interface Server {
	/** Includes the base path. */
	readonly url: string;
	/** From the start of the process to its first 200. */
	readonly startMs: number;
	/** The ETag of the first page. Empty if the server sends none. */
	readonly etag: string;
	readonly residentMb: () => number;
	readonly stop: () => Promise<void>;
}

export interface LaunchOptions
	extends Pick<ServerOptions, "catalogue" | "reply"> {
	/** A command that runs the command of the server. */
	readonly wrapper?: readonly string[];
}

export async function launch(
	target: Target,
	{ wrapper = [], ...given }: LaunchOptions,
): Promise<Server> {
	const folder = temporaryFolder();
	const port = await freePort();
	const options = { ...given, port, folder: folder.path };
	target.prepare?.(options);
	const [program, ...args] = [
		...wrapper,
		...serverPrefix(),
		...target.command(options),
	];
	const begun = performance.now();
	const running = start([program ?? "", ...args], {
		cwd: folder.path,
		env: environment,
	});
	const url = `http://127.0.0.1:${port}${target.basePath ?? "/v1"}`;
	const first = await firstReply(
		`${url}/pets`,
		// A target that sends a recorded reply sends its status to this request too.
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
			const forceTimer = setTimeout(() => running.kill("SIGKILL"), 3_000);
			await running.finished;
			clearTimeout(forceTimer);
			folder.remove();
		},
	};
}

async function firstReply(
	url: string,
	isReady: (response: Response) => boolean,
	describeFailure: () => string,
): Promise<{ at: number; etag: string }> {
	const deadline = performance.now() + 30_000;
	while (performance.now() < deadline) {
		// The connection is refused until the server listens.
		const response = await fetch(url, { headers }).catch(() => undefined);
		const at = performance.now();
		await response?.text();
		if (response !== undefined && isReady(response))
			return { at, etag: response.headers.get("etag") ?? "" };
		await Bun.sleep(1);
	}
	throw new Error(describeFailure());
}

const headers = { Authorization: `Bearer ${apiKey}` };

function residentMb(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
