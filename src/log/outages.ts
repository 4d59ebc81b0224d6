// The log lines of a database outage: one at its start, one a minute, and one at its end, instead of one for each failed request.
import { setTimeout as sleep } from "node:timers/promises";
import { StoreFailure, toReason } from "../domain/errors.ts";
import { outageCheckMs, outageQuietMs } from "../limits.ts";
import type { Log } from "./log.ts";

const outageReminderMs = 60_000;

export type Outages = ReturnType<typeof createOutages>;

/** An outage ends when `ping` succeeds and nothing has failed for a while. On a full disk `ping` succeeds, but writes fail. */
export function createOutages(
	ping: () => Promise<void>,
	log: Log,
	{
		checkMs = outageCheckMs,
		quietMs = outageQuietMs,
		reminderMs = outageReminderMs,
	} = {},
) {
	let current: Outage | undefined;
	let isStopped = false;

	/** Returns whether an outage begins. */
	function note(error: unknown): boolean {
		if (isStopped) return false;
		const now = performance.now();
		const isFirst = current === undefined;
		current ??= { begunAt: now, failedAt: now, reason: "", refused: 0 };
		current.failedAt = now;
		current.reason = toOutageReason(error);
		if (isFirst) watch(current);
		return isFirst;
	}

	async function watch(outage: Outage): Promise<void> {
		let remindAt = outage.begunAt + reminderMs;
		while (performance.now() - outage.failedAt < quietMs) {
			await sleep(checkMs, undefined, { ref: false });
			if (isStopped) return;
			await ping().catch(note);
			if (performance.now() >= remindAt) {
				remindAt += reminderMs;
				const { reason } = outage;
				log.error(
					{ reason, ...toCounts(outage) },
					"the database still cannot be used",
				);
			}
		}
		current = undefined;
		log.info(toCounts(outage), "the database can be used again");
	}

	function logBegin(failure: StoreFailure, details: object): void {
		const reason = toOutageReason(failure);
		log.error({ ...details, reason }, "the database cannot be used");
	}

	return {
		/** Counts a request that the failure has refused. Logs the first one of an outage, with its details. */
		countRequest(failure: StoreFailure, toDetails: () => object): void {
			if (note(failure)) logBegin(failure, toDetails());
			if (current !== undefined) current.refused++;
		},
		/** For background work. The message says what failed. */
		reportWork(error: unknown, message: string): void {
			if (!(error instanceof StoreFailure)) log.warn({ err: error }, message);
			// After `stop` nothing is an outage: the stop itself makes work fail.
			else if (note(error)) logBegin(error, { failed: message });
		},
		stop(): void {
			isStopped = true;
		},
	};
}

interface Outage {
	readonly begunAt: number;
	/** The last failure. */
	failedAt: number;
	reason: string;
	refused: number;
}

function toCounts({ begunAt, failedAt, refused }: Outage) {
	return { ms: Math.round(failedAt - begunAt), refused };
}

/** The message and the code, without a stack trace, which would only show our own code. A failure without a cause is a timeout. */
function toOutageReason(error: unknown): string {
	const cause = error instanceof StoreFailure ? error.cause : error;
	if (cause === undefined) return "it did not answer in time";
	const message = toReason(cause);
	const code = cause instanceof Error && "code" in cause ? cause.code : "";
	return typeof code !== "string" || message.includes(code)
		? message
		: `${message} (${code})`;
}
