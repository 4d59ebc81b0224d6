// The signals that ask the service to stop.
import { constants } from "node:os";

/** Resolves at the first signal to stop. A second one ends the process immediately. */
export function firstSignal(): Promise<string> {
	return new Promise((resolve) => {
		let first: { signal: string; at: number } | undefined;
		const onSignal = (signal: "SIGINT" | "SIGTERM") => {
			const at = performance.now();
			first ??= { signal, at };
			// Ctrl-C under npm arrives twice within milliseconds, from the terminal and from npm.
			if (signal !== first.signal || at - first.at > sameSignalMs)
				process.exit(128 + constants.signals[signal]);
			resolve(signal);
		};
		process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
	});
}

const sameSignalMs = 200;
