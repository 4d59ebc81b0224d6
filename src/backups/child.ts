// Runs a command of this program in a process of its own, so that it does not block the event loop.
import { OperatorError } from "../domain/errors.ts";
import type { toOtherCommand } from "../program.ts";

/** How long a process has to end after a signal. Then it is killed, and nobody waits for it: on a dead disk it may never end. */
const graceMs = 2_000;

/** Returns what it prints. Rejects with its last sentence. It ends with this process, or when `signal` aborts. */
export async function runChild(
	{ program, args, env }: ReturnType<typeof toOtherCommand>,
	signal: AbortSignal,
): Promise<string> {
	const child = Bun.spawn([program, ...args], {
		env,
		stdio: ["ignore", "pipe", "pipe"],
		// It ends when the channel closes.
		ipc() {},
	});
	const killed = Promise.withResolvers<never>();
	const stop = () => {
		child.kill();
		setTimeout(() => {
			child.kill("SIGKILL");
			killed.reject(new OperatorError("Its process was killed."));
		}, graceMs).unref();
	};
	signal.addEventListener("abort", stop);
	if (signal.aborted) stop();
	const ended = Promise.all([
		new Response(child.stdout).text(),
		new Response(child.stderr).text(),
		child.exited,
	]);
	const [output, messages, status] = await Promise.race([
		ended,
		killed.promise,
	]).finally(() => signal.removeEventListener("abort", stop));
	if (status === 0) return output;
	const last = [...messages.matchAll(/^petstore: (.+)$/gm)].at(-1)?.[1];
	const [other = ""] = messages.trim().split("\n");
	throw new OperatorError(
		last ??
			`Its process ended with ${child.signalCode ?? status}${other && `: ${other}`}. It is not known what it has done.`,
	);
}
