// Ends a command at a signal by an orderly exit, so that it removes what it has not finished.
import { say } from "../print.ts";
import { stopSignals, toExitStatus } from "../stop-signals.ts";

export function exitAtSignals(): void {
	for (const signal of [...stopSignals, "SIGHUP"] as const)
		process.on(signal, () => {
			say("petstore: Interrupted. Nothing was left half done.");
			process.exit(toExitStatus(signal));
		});
}
