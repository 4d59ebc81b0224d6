// The process of a target: starts it, waits for its first reply, and stops it.
import { freePort } from "../../test/harness/free-port.ts";
import { type Running, start } from "../../test/harness/process.ts";
import { temporaryFolder } from "../../test/harness/temporary.ts";
import { serverPrefix } from "../machine/cores.ts";
import { residentMb } from "../machine/processes.ts";
import { processorTimeNs } from "../machine/processor-time.ts";
import { clientKeys } from "../plan/keys.ts";
import type { ServerOptions, Target } from "../plan/target.ts";
import { environment } from "../plan/targets.ts";
import { list } from "../plan/trials.ts";

export interface Server {
	/** Includes the base path. */
	readonly url: string;
	/** From the start of the process to its first 200. */
	readonly startMs: number;
	/** The ETag of the first page. Empty if the server sends none. */
	readonly etag: string;
	/** The keys that it accepts. */
	readonly keys: readonly string[];
	/** Processor time since its start. */
	readonly processorTimeNs: () => number;
	readonly residentMb: () => number;
	readonly stop: () => Promise<void>;
}

export interface LaunchOptions
	extends Pick<ServerOptions, "catalogue" | "replies"> {
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
	const origin = `http://127.0.0.1:${port}`;
	const url = origin + (target.basePath ?? "/v1");
	const keys = target.keys ?? clientKeys;
	const { path } = target.translate?.(list) ?? list;
	const first = await firstReply(
		new Request(url + path, {
			headers: { Authorization: `Bearer ${keys[0]}` },
		}),
		// A target that sends a recorded reply sends its status to this request too.
		({ status }) => status === 200 || target.repeats === true,
		running,
		target.name,
	);
	return {
		url,
		startMs: first.at - begun,
		etag: first.etag,
		keys: target.signIn ? [await target.signIn(origin)] : keys,
		processorTimeNs: () => processorTimeNs(running.pid),
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
	request: Request,
	isReady: (response: Response) => boolean,
	running: Running,
	name: string,
): Promise<{ at: number; etag: string }> {
	const deadline = performance.now() + 60_000;
	let hasEnded = false;
	running.finished.then(() => {
		hasEnded = true;
	});
	while (!hasEnded && performance.now() < deadline) {
		// The connection is refused until the server listens.
		const response = await fetch(request).catch(() => undefined);
		const at = performance.now();
		await response?.text();
		if (response !== undefined && isReady(response))
			return { at, etag: response.headers.get("etag") ?? "" };
		await Bun.sleep(1);
	}
	throw new Error(`${name} did not start: ${running.output().stderr}`);
}
