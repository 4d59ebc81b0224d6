// Records the last use of a key or a session: one attempt in `keyUseIntervalMs`, even if it fails.
import { keyUseIntervalMs } from "../limits.ts";
import { isInFuture } from "../store/keys.ts";

/** More ids than are used in one interval. Above this, all attempts are forgotten. */
const maxRecentUses = 10_000;

/** `lastUsedAt` comes from the store. The caller does not wait for the record. */
export function createUseRecord<Id>(
	record: (id: Id, at: number) => Promise<void>,
	onUnrecordedUse: (error: unknown) => void,
) {
	const triedAt = new Map<Id, number>();
	return (
		{ id, lastUsedAt = 0 }: { id: Id; lastUsedAt: number | undefined },
		now: number,
	): void => {
		if (isRecent(lastUsedAt, now) || isRecent(triedAt.get(id) ?? 0, now))
			return;
		if (triedAt.size >= maxRecentUses) triedAt.clear();
		triedAt.set(id, now);
		record(id, now).catch(onUnrecordedUse);
	};
}

/** A future time does not count: it would stop all records until then. */
function isRecent(at: number, now: number): boolean {
	return now - at < keyUseIntervalMs && !isInFuture(at, now);
}
