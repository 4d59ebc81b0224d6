// Runs a command of this program in a process of its own, so that it blocks neither the event loop nor a later one, even if its disk hangs.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { withTimeout } from "../domain/async.ts";
import { OperatorError } from "../domain/errors.ts";
import type { toOtherCommand } from "../program.ts";

export type ChildCommand = ReturnType<typeof toOtherCommand>;

/** How long a process has to end after a signal. Then it is killed, and nobody waits for it. */
const graceMs = 2_000;

export class ChildFailure extends OperatorError {
	/** What it printed; undefined if it was killed. */
	readonly output: string | undefined;

	constructor(message: string, output: string | undefined) {
		super(message);
		this.output = output;
	}
}

/** Returns what it prints. Rejects with a ChildFailure of its last sentence. It ends with this process, or when `signal` aborts. */
export async function runChild(
	{ program, args, env }: ChildCommand,
	signal: AbortSignal,
): Promise<string> {
	const child = spawn(program, args, {
		env,
		// It ends when the channel closes.
		stdio: ["ignore", "pipe", "pipe", "ipc"],
	});
	const { stdout, stderr } = child;
	const ended = Promise.all([
		stdout === null ? "" : text(stdout),
		stderr === null ? "" : text(stderr),
		once(child, "exit"),
	]);
	const aborted = Promise.withResolvers<void>();
	const abort = () => aborted.resolve();
	signal.addEventListener("abort", abort);
	if (signal.aborted) abort();
	try {
		await Promise.race([ended, aborted.promise]);
		if (signal.aborted) child.kill();
		const [output, messages, [status, killedBy]] = signal.aborted
			? await withTimeout(graceMs, ended, killed)
			: await ended;
		if (status === 0) return output;
		const last = [...messages.matchAll(/^petstore: (.+)$/gm)].at(-1)?.[1];
		const [other = ""] = messages.trim().split("\n");
		const text = `Its process ended with ${killedBy ?? status}${other && `: ${other}`}.`;
		throw new ChildFailure(last ?? text, output);
	} finally {
		signal.removeEventListener("abort", abort);
		// A process that waits for a dead disk cannot even be killed. This one must still be able to exit.
		child.kill("SIGKILL");
		stdout?.destroy();
		stderr?.destroy();
		if (child.connected) child.disconnect();
		child.unref();
	}
}

function killed(): ChildFailure {
	return new ChildFailure("Its process was killed.", undefined);
}
