// The signals: which of them stop the service, and what the others do.
import { constants } from "node:os";
import { isatty } from "node:tty";

/**
 * Call it first, so that a signal that comes during the start does not kill the process. Returns whether SIGHUP stops the service: it
 * does if the service was started from a terminal, which sends SIGHUP to all its processes when it is closed.
 */
export function holdSignals(): boolean {
	// Now, since this cannot be found out when the terminal has gone.
	const hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
	for (const signal of ["SIGUSR1", "SIGUSR2"]) process.on(signal, () => {});
	if (!hasTerminal) process.on("SIGHUP", () => {});
	return hasTerminal;
}

/** Resolves at the first signal to stop. A second one ends the process immediately. */
export function firstSignal(stopsAtHangUp: boolean): Promise<string> {
	return new Promise((resolve) => {
		let first: { signal: string; at: number } | undefined;
		const onSignal = (signal: "SIGINT" | "SIGTERM" | "SIGHUP") => {
			const at = performance.now();
			first ??= { signal, at };
			// Ctrl-C under npm arrives twice within milliseconds, from the terminal and from npm.
			if (signal !== first.signal || at - first.at > sameSignalMs)
				process.exit(128 + constants.signals[signal]);
			resolve(signal);
		};
		process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
		if (stopsAtHangUp) process.on("SIGHUP", onSignal);
	});
}

const sameSignalMs = 200;
