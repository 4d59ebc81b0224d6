// One process of a worker, as its supervisor sees it: the same program in a child process.
import { type ChildProcess, spawn } from "node:child_process";
import { toOwnCommand } from "../program.ts";
import { type Assignment, toWorkerEnvironment } from "./assignment.ts";
import { isListening, retire, stop } from "./messages.ts";

export interface WorkerProcess {
	readonly pid: number | undefined;
	/** Whether it listens; false if it ended before it did. */
	readonly listening: Promise<boolean>;
	readonly ended: Promise<End>;
	readonly onMessage: (listener: (message: unknown) => void) => void;
	/** Does nothing if the process has ended or was told to stop. */
	readonly send: (message: object) => void;
	readonly stop: () => void;
	/** Lets it end its connections, until it is told to stop. */
	readonly retire: () => void;
	/** Ends it by SIGKILL. */
	readonly kill: () => void;
}

export interface End {
	readonly pid?: number | undefined;
	readonly status: number | null;
	readonly signal?: string | null;
	readonly err?: unknown;
}

export function startWorker(assignment: Assignment): WorkerProcess {
	const child = spawnWorker(assignment);
	const { pid } = child;
	const ended = new Promise<End>((resolve) => {
		child
			.once("exit", (status, signal) => resolve({ pid, status, signal }))
			.on("error", (err) => {
				// A message that cannot be sent is an error too, but the process may still run.
				if (pid === undefined) resolve({ status: null, err });
			});
	});
	const listening = new Promise<boolean>((resolve) => {
		child.on("message", (message) => {
			if (isListening(message)) resolve(true);
		});
		void ended.then(() => resolve(false));
	});
	return {
		pid,
		listening,
		ended,
		onMessage(listener) {
			child.on("message", listener);
		},
		send(message) {
			if (child.connected) child.send(message);
		},
		// A message and not a signal: after Ctrl-C the terminal has sent the worker one already, and a second would end it without draining. A
		// worker also stops when its channel closes, so that it ends with a supervisor that was killed.
		stop() {
			if (!child.connected) return;
			child.send(stop);
			child.disconnect();
		},
		retire() {
			if (child.connected) child.send(retire);
		},
		kill: () => child.kill("SIGKILL"),
	};
}

function spawnWorker(assignment: Assignment): ChildProcess {
	const [program, ...args] = toOwnCommand();
	return spawn(program, args, {
		// What a person has called, which messages and pages show.
		argv0: process.argv0,
		env: toWorkerEnvironment(assignment),
		stdio: ["ignore", "inherit", "inherit", "ipc"],
	});
}
