// The signals that stop a command.
import { OperatorError } from "../../domain/errors.ts";
import { isTerminal } from "../../program.ts";

/** For a service: resolves at the first signal to stop. A second one ends the process immediately. */
export function untilSignal(): Promise<string> {
	// A terminal sends SIGHUP when it closes. Checked now: afterwards the answer would be wrong.
	const isOnTerminal = [0, 1, 2].some(isTerminal);
	return new Promise((resolve) => watchStop(resolve, isOnTerminal));
}

/** For a long command that removes its temporary files itself. `consequence` completes "Interrupted by SIGINT; …". */
export function watchInterruption(consequence: string): AbortSignal {
	const controller = new AbortController();
	watchStop((name) => {
		process.exitCode = toExitStatus(name);
		controller.abort(
			new OperatorError(`Interrupted by ${name}; ${consequence}.`),
		);
	});
	// The service that started it has exited.
	process.once("disconnect", () => controller.abort());
	return controller.signal;
}

type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** Calls `onStop` at the first stop signal. Another one ends the process, unless it is the same within `sameSignalMs`. */
function watchStop(
	onStop: (signal: StopSignal) => void,
	stopsAtHangUp = false,
): void {
	let first: { signal: StopSignal; at: number } | undefined;
	const onSignal = (signal: StopSignal) => {
		const at = performance.now();
		if (first === undefined) {
			first = { signal, at };
			onStop(signal);
		} else if (signal !== first.signal || at - first.at > sameSignalMs)
			process.exit(toExitStatus(signal));
	};
	const signals: StopSignal[] = ["SIGINT", "SIGTERM"];
	if (stopsAtHangUp) signals.push("SIGHUP");
	for (const signal of signals) process.on(signal, onSignal);
}

/** Ctrl-C under npm or bin/petstore.cjs arrives twice within milliseconds, from the terminal and from the other process. */
const sameSignalMs = 200;

function toExitStatus(signal: StopSignal): number {
	return 128 + { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }[signal];
}
