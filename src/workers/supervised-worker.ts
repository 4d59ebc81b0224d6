// Keeps a worker running: starts its process again whenever it ends, and replaces it on request.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../domain/errors.ts";
import { connectionsEndMs, workerStopMs } from "../limits.ts";
import type { Log } from "../log/log.ts";
import type { LogRecord } from "../log/text.ts";
import { toOwnCommand } from "../program.ts";
import {
	type Assignment,
	type FromSupervisor,
	isMessage,
	toWorkerEnvironment,
} from "./messages.ts";

/** The delay before a worker starts again. It doubles each time, until a process has run for `workerSettledMs`. */
const workerDelayMs = 100;
const maxWorkerDelayMs = 5_000;
const workerSettledMs = 10_000;
/** A replacement that does not listen by then is killed, and the old process goes on. Longer than a migration. */
const workerStartMs = 60_000;

export type SupervisedWorker = ReturnType<typeof superviseWorker>;

interface SupervisionOptions {
	/** Whether the workers' database is still in place. If its file was replaced, a new process would use another database. */
	readonly canStart: () => Promise<boolean>;
	readonly onStart: (process: WorkerProcess) => void;
	readonly stopping: AbortSignal;
	readonly drainMs: number;
	readonly log: Log;
}

export function superviseWorker(
	assignment: Assignment,
	options: SupervisionOptions,
) {
	const { worker } = assignment;
	const { canStart, onStart, stopping, drainMs, log } = options;
	const toldToStop = once(stopping, "abort");
	/** The present process, and replaced processes that have not ended yet. */
	const processes = new Set<WorkerProcess>();
	let present = start();
	let replacing: Promise<boolean> | undefined;
	let delayMs = workerDelayMs;

	function start(): WorkerProcess {
		const started = startProcess(assignment);
		const { pid, listening, ended } = started;
		processes.add(started);
		onStart(started);
		void ended.then(() => processes.delete(started));
		void listening.then(
			(listens) => listens && log.info({ worker, pid }, "worker listening"),
		);
		return started;
	}

	/** Starts the present process again whenever it ends. */
	async function keep(): Promise<void> {
		const kept = present;
		const startedAt = performance.now();
		const end = await kept.ended;
		if (present !== kept || (stopping.aborted && end.status === 0)) return;
		if (performance.now() - startedAt > workerSettledMs)
			delayMs = workerDelayMs;
		log.warn({ worker, ...end, delayMs }, "worker ended");
		await Promise.race([sleep(delayMs), toldToStop]);
		delayMs = Math.min(2 * delayMs, maxWorkerDelayMs);
		while (!stopping.aborted && !(await canStart()))
			await Promise.race([sleep(maxWorkerDelayMs), toldToStop]);
		// Directly before the check, so that a restart that runs now is not missed and no second process starts.
		await replacing;
		if (present !== kept || stopping.aborted) return;
		present = start();
		await keep();
	}

	async function replace(): Promise<boolean> {
		if (!(await canStart()) || stopping.aborted) return false;
		const [old, next] = [present, start()];
		const timer = setTimeout(next.kill, workerStartMs);
		const listens = await next.listening;
		clearTimeout(timer);
		if (!listens || stopping.aborted) return false;
		present = next;
		void keep();
		old.send({ type: "retire" });
		const longestMs = drainMs + connectionsEndMs + workerStopMs;
		const retirement = setTimeout(old.kill, longestMs);
		void old.ended.then((end) => {
			clearTimeout(retirement);
			log.info({ worker, ...end }, "worker replaced");
		});
		return true;
	}

	stopping.addEventListener("abort", () => {
		for (const { stop } of processes) stop();
	});
	return {
		/** Rejects if the first process ends before it listens: then starting it again would not help. */
		listening: present.listening.then((listens) => {
			if (!listens) throw new OperatorError(`Worker ${worker} cannot start.`);
			void keep();
		}),
		/** Resolves when all processes have ended after a stop. */
		ended: toldToStop.then(() =>
			Promise.all([...processes].map(({ ended }) => ended)),
		),
		/** Starts another process and, once it listens, retires the present one. Returns false if no other process listens. */
		replace(): Promise<boolean> {
			replacing = replace();
			return replacing;
		},
		kill(): void {
			for (const { kill } of processes) kill();
		},
	};
}

export type WorkerProcess = ReturnType<typeof startProcess>;

/** The same program in a child process. */
function startProcess(assignment: Assignment) {
	const [program, ...args] = toOwnCommand();
	const child = spawn(program, args, {
		// Messages and pages show the command that a person has typed.
		argv0: process.argv0,
		env: toWorkerEnvironment(assignment),
		stdio: ["ignore", "inherit", "inherit", "ipc"],
	});
	const { pid } = child;
	const ended = new Promise<LogRecord>((resolve) => {
		child
			.once("exit", (status, signal) => resolve({ pid, status, signal }))
			.on("error", (err) => {
				// A message that cannot be sent is an error too, but the process may still run.
				if (pid === undefined) resolve({ status: null, err });
			});
	});
	/** False if it ended before it listened. */
	const listening = new Promise<boolean>((resolve) => {
		onMessage((message) => {
			if (isMessage(message, "listening")) resolve(true);
		});
		void ended.then(() => resolve(false));
	});

	function onMessage(listener: (message: unknown) => void): void {
		child.on("message", listener);
	}

	/** Does nothing if the process has ended or got the message to stop. */
	function send(message: FromSupervisor): void {
		if (child.connected) child.send(message);
	}

	return {
		pid,
		listening,
		ended,
		onMessage,
		send,
		/**
		 * A message, not a signal: after Ctrl-C the worker has one from the terminal already, and a second would end it without draining. A
		 * worker also stops when its channel closes, so it ends with a killed supervisor.
		 */
		stop(): void {
			send({ type: "stop" });
			if (child.connected) child.disconnect();
		},
		kill(): void {
			child.kill("SIGKILL");
		},
	};
}
