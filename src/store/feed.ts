// The feed: animals that were added, changed and removed. A reader that applies all entries in order has the catalogue.
import type { Awaitable } from "../async/awaitable.ts";
import { maxNameBytes, type StoredPet } from "../domain/pet.ts";
import { createBatch } from "./queue/batch.ts";

/** Pages that are read at the same time. */
const maxFeedReads = 4;

export interface Feed {
	/** The entries after a position, oldest first, each with the current state of its animal. "gone" for a position of another database. */
	readonly read: (query: FeedQuery) => Awaitable<FeedPage | "gone">;
	/** Changes when a new entry can be read. */
	readonly last: () => Awaitable<bigint>;
}

export interface FeedQuery {
	/** A position that was read before; 0 for the start. */
	readonly after: bigint;
	readonly limit: number;
	/** A page ends after the entry that exceeds this, as JSON text. */
	readonly maxBytes: number;
}

/** Bytes of an entry's JSON text without its animal: position, kind and id. */
export const entryBytes = 200;

/** The longest JSON text of a page: its last entry may exceed the limit. */
export function toPageBytes(maxBytes: number): number {
	return maxBytes + maxNameBytes + 2 * entryBytes;
}

export interface FeedPage {
	readonly entries: readonly FeedEntry[];
	/** The position to continue at. Never before `after`. */
	readonly next: bigint;
	/** Whether more entries can be read now. */
	readonly more: boolean;
}

export interface FeedEntry {
	readonly position: bigint;
	readonly kind: ChangeKind;
	readonly petId: bigint;
	/** Undefined if the animal was removed. */
	readonly pet: StoredPet | undefined;
}

export const changeKinds = ["added", "changed", "removed"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/**
 * A position is `base` + a value of the id counter. When the content of a database is replaced, a new epoch with another base begins. No
 * position is valid in two epochs.
 */
export interface FeedState {
	readonly base: bigint;
	/** The last value of the counter. */
	readonly last: bigint;
}

/** The value of the counter that a position stands for; undefined if it cannot be a position of this database. */
export function toCounter(
	after: bigint,
	{ base, last }: FeedState,
): bigint | undefined {
	if (after === 0n) return 0n;
	const value = after - base;
	return value >= 0n && value <= last ? value : undefined;
}

/** The base of a new database. It is random, so that positions of other databases are recognised. */
export function toFirstBase(): bigint {
	return 2n ** 32n + randomBelow(2n ** 50n);
}

/**
 * The base of the next epoch. `given` is the last position that this database or the source of the new content has given out. The source
 * may stay in use, or several databases may get its content. So the distance is random and long compared with the positions.
 */
export function toNextBase(given: bigint, last: bigint): bigint {
	const distance = last << 8n;
	return given + 1n + randomBelow(distance > 2n ** 40n ? distance : 2n ** 40n);
}

function randomBelow(end: bigint): bigint {
	const [high = 0n, low = 0n] = crypto.getRandomValues(new BigUint64Array(2));
	return ((high << 64n) | low) % end;
}

/** An entry as both engines store it, with the value of the counter as its position. */
export interface FeedRow {
	readonly position: bigint;
	readonly kind: ChangeKind;
	readonly petId: bigint;
}

/** A missing animal has a later entry for its removal, so this one is left out. */
export function toEntries<Row extends FeedRow>(
	rows: readonly Row[],
	base: bigint,
	find: (row: Row) => StoredPet | undefined,
): FeedEntry[] {
	return rows.flatMap((row): FeedEntry[] => {
		const { kind, petId } = row;
		const position = base + row.position;
		if (kind === "removed") return [{ position, kind, petId, pet: undefined }];
		const pet = find(row);
		return pet === undefined ? [] : [{ position, kind, petId, pet }];
	});
}

/** Limits how many reads run at the same time, since a page can be megabytes long. Further reads wait, and fail after `maxQueueMs`. */
export function limitFeed(feed: Feed): Feed {
	const read = createBatch<FeedQuery, FeedPage | "gone">(
		async (queries) => {
			const reads = queries.map(async (query) => feed.read(query));
			await Promise.allSettled(reads);
			return reads;
		},
		{ maxSize: maxFeedReads },
	);
	return { ...feed, read };
}
