// Logs failures without a line for each: the first of a kind at once, then how many more came, every ten seconds.
import { StoreFailure, toReason } from "../domain/errors.ts";
import type { Log, LogRecord } from "./log.ts";

export type FailureLog = ReturnType<typeof createFailureLog>;

export function createFailureLog(log: Log, intervalMs = 10_000) {
	/** How many failures of each kind came since its last line, and the latest fields. */
	const kinds = new Map<string, { count: number; fields: LogRecord }>();
	let isStopped = false;

	/** `fields` are in every line, those of `toDetails` only in the first. */
	function report(
		level: "warn" | "error",
		kind: string,
		toDetails: () => object,
		fields: LogRecord = {},
	): void {
		const known = kinds.get(kind);
		if (known !== undefined) {
			known.count++;
			known.fields = fields;
			return;
		}
		log[level]({ ...toDetails(), ...fields }, kind);
		const counted = { count: 0, fields };
		kinds.set(kind, counted);
		const timer = setInterval(() => {
			if (counted.count > 0)
				log[level]({ ...counted.fields, count: counted.count }, kind);
			else {
				clearInterval(timer);
				kinds.delete(kind);
			}
			counted.count = 0;
		}, intervalMs);
		timer.unref();
	}

	/** All failures of the database are of one kind. */
	function reportStore(failure: StoreFailure, toDetails: () => object): void {
		// The stop itself makes work fail.
		if (!isStopped)
			report("error", "the database cannot be used", toDetails, {
				reason: toStoreReason(failure),
			});
	}

	return {
		report,
		reportStore,
		/** For background work. The message says what failed. */
		reportWork(error: unknown, message: string): void {
			if (error instanceof StoreFailure)
				reportStore(error, () => ({ failed: message }));
			else log.warn({ err: error }, message);
		},
		stop(): void {
			isStopped = true;
		},
	};
}

/** The message and the code, without a stack trace, which would only show our own code. A failure without a cause is a timeout. */
function toStoreReason({ cause }: StoreFailure): string {
	if (cause === undefined) return "it did not answer in time";
	const message = toReason(cause);
	const code = cause instanceof Error && "code" in cause ? cause.code : "";
	return typeof code !== "string" || message.includes(code)
		? message
		: `${message} (${code})`;
}
