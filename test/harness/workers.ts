// Starts a service with several workers, returns their process ids, signals them, and finds out which of them answered.
import { readFileSync } from "node:fs";
import {
	type ProcessOptions,
	type Running,
	serve,
	waitFor,
} from "./process.ts";

export interface Workers extends Running {
	readonly url: string;
	/** The process ids of the workers, worker 1 first. */
	readonly pids: () => number[];
	/** Sends a signal to one worker, and returns its process id. */
	readonly signalWorker: (
		worker: number,
		signal: "SIGTERM" | "SIGKILL",
	) => number;
	/** The JSON lines of the log so far. */
	readonly log: () => LogLine[];
	/** Waits until the log has this message that many times. */
	readonly untilLogged: (message: string, times: number) => Promise<void>;
	/** Sends a request over a new connection, which any worker may get. */
	readonly call: (
		path: string,
		init?: BunFetchRequestInit,
	) => Promise<Response>;
	/** The numbers of the workers that sent these replies. Needs --log-requests. */
	readonly answerers: (replies: readonly Response[]) => Promise<Set<number>>;
}

export interface LogLine {
	readonly msg: string;
	readonly worker?: number;
	readonly pid?: number;
	readonly requestId?: string;
	readonly [field: string]: unknown;
}

export const apiKey = "a-key-known-to-the-tests";

export async function serveWorkers(
	count: number,
	args: readonly string[],
	{ env, ...options }: ProcessOptions,
): Promise<Workers> {
	const service = await serve(["--workers", String(count), ...args], {
		...options,
		env: { PETSTORE_API_KEY: apiKey, ...env },
	});
	const log = () => toLog(service.output().stderr);
	return {
		...service,
		log,
		pids: () => toPids(log()),
		async untilLogged(message, times) {
			const count = () => log().filter(({ msg }) => msg === message).length;
			await waitFor(
				() => (count() >= times ? true : undefined),
				() => `not ${times} times in the log: ${message}`,
				restartMs,
			);
		},
		signalWorker: (worker, signal) => signalWorker(log(), worker, signal),
		call: (path, init = {}) =>
			fetch(service.url + path, {
				...init,
				keepalive: false,
				headers: { Authorization: `Bearer ${apiKey}`, ...init.headers },
			}),
		async answerers(replies) {
			const ids = new Set(replies.map((r) => r.headers.get("X-Request-Id")));
			const lines = () =>
				log().filter(({ requestId }) => ids.has(requestId ?? ""));
			await waitFor(
				() => (lines().length >= ids.size ? true : undefined),
				() => "not every reply is in the log",
			);
			return new Set(lines().map(({ worker = 0 }) => worker));
		},
	};
}

/** A replaced worker ends after its connections, within 13 s. */
const restartMs = 30_000;

/** Waits until a new process has replaced this one. */
export async function untilReplaced(
	pids: () => readonly number[],
	worker: number,
	pid: number,
): Promise<void> {
	await waitFor(
		() => (pids()[worker - 1] === pid ? undefined : true),
		() => `worker ${worker} was not started again`,
	);
}

export function signalWorker(
	log: readonly LogLine[],
	worker: number,
	signal: "SIGTERM" | "SIGKILL",
): number {
	const pid = toPids(log)[worker - 1];
	// A default of 0 would signal the whole process group, the tests included.
	if (pid === undefined) throw new Error(`there is no worker ${worker}`);
	process.kill(pid, signal);
	return pid;
}

export async function untilEnded(pids: readonly number[]): Promise<void> {
	await waitFor(
		() => (pids.some(isRunning) ? undefined : true),
		() => `still running: ${pids.filter(isRunning)}`,
	);
}

/** An ended process may stay in /proc, in state Z or X, until its parent has read its exit status. */
function isRunning(pid: number): boolean {
	try {
		return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
	} catch {
		return false;
	}
}

export function toLog(stderr: string): LogLine[] {
	return stderr
		.split("\n")
		.filter((line) => line.startsWith("{") && line.endsWith("}"))
		.map((line) => JSON.parse(line));
}

/** The process id of the newest process of each worker. */
export function toPids(log: readonly LogLine[]): number[] {
	const pids: number[] = [];
	for (const { msg, worker = 0, pid = 0 } of log)
		if (msg === "worker listening") pids[worker - 1] = pid;
	return pids;
}
