// The signals that ask the service to stop.
import { constants } from "node:os";

/** Resolves at the first signal to stop; a further one ends the process at once. */
export function firstSignal(): Promise<string> {
	return new Promise((resolve) => {
		let first: { signal: string; at: number } | undefined;
		const onSignal = (signal: "SIGINT" | "SIGTERM") => {
			const at = performance.now();
			first ??= { signal, at };
			// Ctrl-C under npm arrives twice, from the terminal and from npm, within moments.
			if (signal !== first.signal || at - first.at > sameSignalMs)
				process.exit(128 + constants.signals[signal]);
			resolve(signal);
		};
		process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
	});
}

const sameSignalMs = 200;
