// The signals that stop a command, and the status that it exits with then.
import { constants } from "node:os";

/** SIGBREAK is Ctrl-Break, which only Windows has. A signal that the system does not have is never sent. */
export const stopSignals = ["SIGINT", "SIGTERM", "SIGBREAK"] as const;

export type StopSignal = (typeof stopSignals)[number] | "SIGHUP";

/** Bun may have no number for a signal of another system. */
export function toExitStatus(signal: StopSignal): number {
	const numbers: Readonly<Record<string, number>> = constants.signals;
	return 128 + (numbers[signal] ?? 0);
}
