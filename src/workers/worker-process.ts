// One process of a worker, as its supervisor sees it: the same program in a child process.
import { spawn } from "node:child_process";
import type { LogRecord } from "../log/text.ts";
import { toOwnCommand } from "../program.ts";
import {
	type Assignment,
	type FromSupervisor,
	isMessage,
	toWorkerEnvironment,
} from "./messages.ts";

export type WorkerProcess = ReturnType<typeof startWorker>;

export function startWorker(assignment: Assignment) {
	const [program, ...args] = toOwnCommand();
	const child = spawn(program, args, {
		// What a person has called, which messages and pages show.
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
	/** Whether it listens; false if it ended before it did. */
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
		 * A message and not a signal: after Ctrl-C the terminal has sent the worker one already, and a second would end it without draining. A
		 * worker also stops when its channel closes, so that it ends with a supervisor that was killed.
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
