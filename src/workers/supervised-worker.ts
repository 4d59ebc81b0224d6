// A worker that its supervisor keeps running: a process that is started again whenever it ends, and can be replaced by another.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../contract/errors.ts";
import {
	connectionsEndMs,
	maxWorkerDelayMs,
	workerDelayMs,
	workerSettledMs,
	workerStartMs,
	workerStopMs,
} from "../limits.ts";
import type { Log } from "../log/log.ts";
import type { Assignment } from "./assignment.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";

export interface SupervisedWorker {
	/** Rejects if the first process ends before it listens: then starting it again would not help. */
	readonly listening: Promise<void>;
	/** Resolves when it has ended for good. */
	readonly ended: Promise<void>;
	/** Starts another process and, once that listens, retires the present one. Returns false if the other process ended before it listened. */
	readonly replace: () => Promise<boolean>;
	/** Ends its processes by SIGKILL. */
	readonly kill: () => void;
}

export interface SupervisionOptions {
	/** Whether the database is the one that the other workers use. If its file was replaced, a new process would use another. */
	readonly canStart: () => Promise<boolean>;
	/** Called with each process that was started. */
	readonly onStart: (process: WorkerProcess) => void;
	readonly stopping: AbortSignal;
	readonly drainMs: number;
	readonly log: Log;
}

export function superviseWorker(
	assignment: Assignment,
	options: SupervisionOptions,
): SupervisedWorker {
	const { worker } = assignment;
	const { canStart, onStart, stopping, drainMs, log } = options;
	const toldToStop = once(stopping, "abort");
	/** The present process, and those that were replaced and have not ended yet. */
	const processes = new Set<WorkerProcess>();
	let present = start();
	let replaced = Promise.withResolvers<undefined>();
	let replacing: Promise<boolean> | undefined;

	function start(): WorkerProcess {
		const started = startWorker(assignment);
		const { pid } = started;
		processes.add(started);
		onStart(started);
		void started.ended.then(() => processes.delete(started));
		void started.listening.then((listens) => {
			if (listens) log.info({ worker, pid }, "worker listening");
		});
		return started;
	}

	async function keep(): Promise<void> {
		for (let delayMs = workerDelayMs; !stopping.aborted; ) {
			const startedAt = performance.now();
			const kept = present;
			const end = await Promise.race([kept.ended, replaced.promise]);
			replaced = Promise.withResolvers();
			if (end === undefined) continue;
			if (stopping.aborted && end.status === 0) return;
			if (performance.now() - startedAt > workerSettledMs)
				delayMs = workerDelayMs;
			log.warn({ worker, ...end, delayMs }, "worker ended");
			await Promise.race([sleep(delayMs), toldToStop]);
			await replacing;
			delayMs = Math.min(2 * delayMs, maxWorkerDelayMs);
			while (!stopping.aborted && !(await canStart()))
				await Promise.race([sleep(maxWorkerDelayMs), toldToStop]);
			if (present === kept && !stopping.aborted) present = start();
		}
	}

	async function replace(): Promise<boolean> {
		if (!(await canStart())) return false;
		const [old, next] = [present, start()];
		const timer = setTimeout(next.kill, workerStartMs);
		const listens = await next.listening;
		clearTimeout(timer);
		if (!listens || stopping.aborted) return false;
		present = next;
		replaced.resolve(undefined);
		retire(old);
		return true;
	}

	function retire(old: WorkerProcess): void {
		old.retire();
		const longestMs = drainMs + connectionsEndMs + workerStopMs;
		const timer = setTimeout(old.kill, longestMs);
		void old.ended.then((end) => {
			clearTimeout(timer);
			log.info({ worker, ...end }, "worker replaced");
		});
	}

	async function untilListening({ listening }: WorkerProcess): Promise<void> {
		if (!(await listening))
			throw new OperatorError(`Worker ${worker} cannot start.`);
	}

	async function untilEnded(): Promise<void> {
		await Promise.all([...processes].map(({ ended }) => ended));
	}

	stopping.addEventListener("abort", () => {
		for (const { stop } of processes) stop();
	});
	const listening = untilListening(present);
	return {
		listening,
		ended: listening.then(keep, () => {}).then(untilEnded),
		replace() {
			replacing = replace();
			return replacing;
		},
		kill() {
			for (const { kill } of processes) kill();
		},
	};
}
