// Records when a key or a session was last used: once in `keyUseIntervalMs`, also if that fails.

import { keyUseIntervalMs } from "../limits.ts";
import { isInFuture } from "../store/keys.ts";

export interface Use<Id> {
	readonly id: Id;
	/** As the store has it; undefined if it was never used. */
	readonly lastUsedAt: number | undefined;
}

/** The caller does not wait for the record. */
export function createUseRecord<Id>(
	record: (id: Id, at: number) => Promise<void>,
	onUnrecordedUse: (error: unknown) => void,
): (use: Use<Id>, now: number) => void {
	/** When the last attempt was made, by id, the oldest first. */
	const triedAt = new Map<Id, number>();

	/** So there are only attempts of the last interval. Older ones have no effect. */
	function forgetOld(now: number): void {
		for (const [id, at] of triedAt) {
			if (isRecent(at, now)) return;
			triedAt.delete(id);
		}
	}

	return ({ id, lastUsedAt = 0 }, now) => {
		if (isRecent(lastUsedAt, now) || isRecent(triedAt.get(id) ?? 0, now))
			return;
		forgetOld(now);
		triedAt.set(id, now);
		record(id, now).catch(onUnrecordedUse);
	};
}

/** A time that is still to come is none: it would stop the records until it comes. */
function isRecent(at: number, now: number): boolean {
	return now - at < keyUseIntervalMs && !isInFuture(at, now);
}
