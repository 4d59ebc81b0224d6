// Ends a long command at a signal to stop, so that it can remove its temporary files and say what happened.
import { constants } from "node:os";
import { OperatorError } from "../contract/errors.ts";
import { sameSignalMs } from "./signal.ts";

export interface Interruption {
	readonly signal: AbortSignal;
	/** Must be called at the end. */
	readonly ignore: () => void;
}

/** `consequence` completes the sentence "Interrupted by SIGINT; …". A second signal, after `sameSignalMs`, ends the process immediately. */
export function watchInterruption(consequence: string): Interruption {
	const controller = new AbortController();
	const onSignal = (name: "SIGINT" | "SIGTERM") => {
		if (controller.signal.aborted) return;
		setTimeout(stopListening, sameSignalMs).unref();
		process.exitCode = 128 + constants.signals[name];
		controller.abort(
			new OperatorError(`Interrupted by ${name}; ${consequence}.`),
		);
	};
	const stopListening = () => {
		process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
	};
	process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
	return {
		signal: controller.signal,
		ignore() {
			// After an interruption the process ends, and the same signal may come once more.
			if (!controller.signal.aborted) stopListening();
		},
	};
}
