// A worker as its supervisor sees it: the same program in a child process, which is started again whenever it ends.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { OperatorError } from "../contract/errors.ts";
import { maxWorkerDelayMs, workerDelayMs, workerSettledMs } from "../limits.ts";
import { type Assignment, toWorkerEnvironment } from "./assignment.ts";
import { isListening, stop } from "./messages.ts";

export interface WorkerProcess {
	/** Rejects if the first process ends before it listens: then starting it again would not help. */
	readonly listening: Promise<void>;
	/** Resolves when it has ended for good. */
	readonly ended: Promise<void>;
	/** Ends the process by SIGKILL. */
	readonly kill: () => void;
}

export function superviseWorker(
	assignment: Assignment,
	stopping: AbortSignal,
	log: Logger,
): WorkerProcess {
	const { worker } = assignment;
	const listening = Promise.withResolvers<void>();
	const toldToStop = once(stopping, "abort");
	let child: ChildProcess | undefined;
	let hasListened = false;

	async function keep(): Promise<void> {
		for (let delayMs = workerDelayMs; !stopping.aborted; ) {
			const startedAt = performance.now();
			const end = await runOnce().catch(toFailedStart);
			if (!hasListened)
				listening.reject(new OperatorError(`Worker ${worker} cannot start.`));
			if (!hasListened || (stopping.aborted && end.status === 0)) return;
			if (performance.now() - startedAt > workerSettledMs)
				delayMs = workerDelayMs;
			log.warn({ worker, ...end, delayMs }, "worker ended");
			await Promise.race([sleep(delayMs), toldToStop]);
			delayMs = Math.min(2 * delayMs, maxWorkerDelayMs);
		}
	}

	async function runOnce(): Promise<End> {
		const running = spawnWorker(assignment);
		const { pid } = running;
		child = running;
		running.on("message", (message) => {
			if (!isListening(message)) return;
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

	// A message and not a signal: after Ctrl-C the terminal has sent the worker one already, and a second would end it without draining. A
	// worker also stops when its channel closes, so that it ends with a supervisor that was killed.
	stopping.addEventListener("abort", () => {
		if (!child?.connected) return;
		child.send(stop);
		child.disconnect();
	});
	return {
		listening: listening.promise,
		ended: keep(),
		kill: () => child?.kill("SIGKILL"),
	};
}

interface End {
	readonly pid?: number | undefined;
	readonly status: number | null;
	readonly signal?: string | null;
	readonly err?: unknown;
}

function toFailedStart(err: unknown): End {
	return { status: null, err };
}

function spawnWorker(assignment: Assignment): ChildProcess {
	const { execPath, execArgv, argv } = process;
	return spawn(execPath, [...execArgv, ...argv.slice(1)], {
		env: toWorkerEnvironment(assignment),
		stdio: ["ignore", "inherit", "inherit", "ipc"],
	});
}
