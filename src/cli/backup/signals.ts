// Ends a command at a signal by an orderly exit, so that it removes what it has not finished.
import { constants } from "node:os";
import { say } from "../print.ts";

export function exitAtSignals(): void {
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
		process.on(signal, () => {
			say("petstore: Interrupted. Nothing was left half done.");
			process.exit(128 + constants.signals[signal]);
		});
}
