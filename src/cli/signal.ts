// The signals: which of them stop the service, and what the others do.
import { isTerminal } from "../log/terminal.ts";
import { type StopSignal, stopSignals, toExitStatus } from "./stop-signals.ts";

export interface Signals {
	/** Resolves at the first signal to stop. A second one ends the process immediately. */
	readonly stop: Promise<string>;
	/** Whether SIGHUP is one of them: if the service was started from a terminal, which sends it to all its processes when it is closed. */
	readonly stopsAtHangUp: boolean;
}

/** Call it first, so that no signal that comes during the start kills the process. */
export function handleSignals(): Signals {
	// Now, since this cannot be found out when the terminal has gone.
	const stopsAtHangUp = [0, 1, 2].some(isTerminal);
	for (const signal of ["SIGUSR1", "SIGUSR2"]) process.on(signal, () => {});
	if (!stopsAtHangUp) process.on("SIGHUP", () => {});
	return { stop: firstSignal(stopsAtHangUp), stopsAtHangUp };
}

function firstSignal(stopsAtHangUp: boolean): Promise<string> {
	return new Promise((resolve) => {
		let first: { signal: string; at: number } | undefined;
		const onSignal = (signal: StopSignal) => {
			const at = performance.now();
			first ??= { signal, at };
			if (signal !== first.signal || at - first.at > sameSignalMs)
				process.exit(toExitStatus(signal));
			resolve(signal);
		};
		for (const signal of stopSignals) process.on(signal, onSignal);
		if (stopsAtHangUp) process.on("SIGHUP", onSignal);
	});
}

/** Ctrl-C under npm or bin/petstore.cjs arrives twice within milliseconds, from the terminal and from the other process. */
export const sameSignalMs = 200;
