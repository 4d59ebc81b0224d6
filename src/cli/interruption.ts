// Ends a long command at a signal to stop, so that it can remove its temporary files and say what happened.
import { OperatorError } from "../contract/errors.ts";
import { sameSignalMs } from "./signal.ts";
import { type StopSignal, stopSignals, toExitStatus } from "./stop-signals.ts";

export interface Interruption {
	readonly signal: AbortSignal;
	/** Must be called at the end. */
	readonly ignore: () => void;
}

/** `consequence` completes the sentence "Interrupted by SIGINT; …". A second signal, after `sameSignalMs`, ends the process immediately. */
export function watchInterruption(consequence: string): Interruption {
	const controller = new AbortController();
	const onSignal = (name: StopSignal) => {
		if (controller.signal.aborted) return;
		setTimeout(stopListening, sameSignalMs).unref();
		process.exitCode = toExitStatus(name);
		controller.abort(
			new OperatorError(`Interrupted by ${name}; ${consequence}.`),
		);
	};
	const stopListening = () => {
		for (const signal of stopSignals) process.off(signal, onSignal);
	};
	for (const signal of stopSignals) process.on(signal, onSignal);
	return {
		signal: controller.signal,
		ignore() {
			// After an interruption the process ends, and the same signal may come once more.
			if (!controller.signal.aborted) stopListening();
		},
	};
}
