// A worker as its supervisor keeps it: this program once more, started again whenever it ends.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { toWorkerEnvironment } from "../cli/config.ts";
import { OperatorError } from "../contract/errors.ts";

export interface Worker {
	/** Rejects when its first process ends before it listens: what is wrong then, starting again will not mend. */
	readonly listening: Promise<void>;
	/** Resolves when it has ended for good. */
	readonly ended: Promise<void>;
	/** Ends its process at once. */
	readonly kill: () => void;
}

export function keepWorker(
	worker: number,
	port: number,
	stopping: AbortSignal,
	log: Logger,
): Worker {
	const listening = Promise.withResolvers<void>();
	const stopped = once(stopping, "abort");
	let child: ChildProcess | undefined;
	let hasListened = false;

	async function keep(): Promise<void> {
		for (let delayMs = shortestDelayMs; !stopping.aborted; ) {
			const begun = performance.now();
			const end = await runOnce().catch(toFailedStart);
			if (!hasListened)
				listening.reject(new OperatorError(`Worker ${worker} cannot start.`));
			if (!hasListened || (stopping.aborted && end.status === 0)) return;
			if (performance.now() - begun > settledMs) delayMs = shortestDelayMs;
			log.warn({ worker, ...end, delayMs }, "worker ended");
			await Promise.race([sleep(delayMs), stopped]);
			delayMs = Math.min(2 * delayMs, longestDelayMs);
		}
	}

	async function runOnce(): Promise<End> {
		const running = spawnWorker(worker, port);
		const { pid } = running;
		child = running;
		running.once("message", () => {
			hasListened = true;
			log.info({ worker, pid }, "worker listening");
			listening.resolve();
		});
		return new Promise((resolve, reject) => {
			running
				.once("exit", (status, signal) => resolve({ pid, status, signal }))
				.on("error", reject);
		});
	}

	// To a worker the end of its channel means to stop, so that it also stops when its supervisor is killed: then without the word
	// before, and so without draining. A signal would be one too many after Ctrl-C, which the terminal sends to both.
	stopping.addEventListener("abort", () => {
		if (!child?.connected) return;
		child.send("stop");
		child.disconnect();
	});
	return {
		listening: listening.promise,
		ended: keep(),
		kill: () => child?.kill("SIGKILL"),
	};
}

/** A worker that dies soon after each start is started less and less often, until it has lived for a while. */
const shortestDelayMs = 100;
const longestDelayMs = 5_000;
const settledMs = 10_000;

interface End {
	readonly pid?: number | undefined;
	readonly status: number | null;
	readonly signal?: string | null;
	readonly err?: unknown;
}

function toFailedStart(err: unknown): End {
	return { status: null, err };
}

function spawnWorker(worker: number, port: number): ChildProcess {
	const { execPath, execArgv, argv } = process;
	return spawn(execPath, [...execArgv, ...argv.slice(1)], {
		env: toWorkerEnvironment(worker, port),
		stdio: ["ignore", "inherit", "inherit", "ipc"],
	});
}
