// The feed: animals that were added, changed and removed. A reader that applies all entries in order has the catalogue.
import { storeUnavailable } from "../domain/errors.ts";
import type { StoredPet } from "../domain/pet.ts";
import type { EngineRow } from "./archive/tables.ts";
import { createBatch } from "./queue/batch.ts";
import { oneOf, petColumns, toInt64, toPet } from "./rows.ts";

export interface Feed {
	/** The entries after a position, oldest first, each with the current state of its animal. "gone" for a position of another database. */
	readonly read: (query: FeedQuery) => Promise<FeedPage | "gone">;
	/** Changes when a new entry can be read. */
	readonly last: () => Promise<bigint>;
}

export interface FeedQuery {
	/** A position that was read before; 0 for the start. */
	readonly after: bigint;
	readonly limit: number;
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
export interface Horizon {
	readonly base: bigint;
	/** The last value of the counter. */
	readonly last: bigint;
	/** The feed may be read up to this value: all transactions that drew a value up to it have ended. */
	readonly safe: bigint;
}

/** The value of the counter that a position stands for; undefined if it cannot be a position of this database. */
function toCounter(after: bigint, { base, last }: Horizon): bigint | undefined {
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

/** SQL of both engines. PostgreSQL keeps it prepared under its name. */
interface FeedStatement {
	readonly name: string;
	readonly text: string;
}

export function openFeed(
	read: (
		statement: FeedStatement,
		values: readonly (bigint | number)[],
	) => Promise<readonly EngineRow[]>,
	readHorizon: () => Promise<Horizon>,
): Feed {
	// One page at a time, since it can have 1.7 MB. Other requests are answered in between.
	const readPage = createBatch(
		async ([values = []]: readonly (bigint | number)[][]) => [
			await read(feedPage, values),
		],
		{ maxSize: 1 },
	);
	return {
		async read({ after, limit }) {
			const horizon = await readHorizon();
			const from = toCounter(after, horizon);
			if (from === undefined) return "gone";
			const { base, safe } = horizon;
			// Another copy of the service may have given out a later position.
			if (from > safe) return { entries: [], next: base + from, more: false };
			const found = await readPage([from, safe, limit + 1]);
			const rows = found.slice(0, limit);
			// The content was replaced after the horizon was read. The next read finds that out by the base.
			if (rows.some((row) => row.base !== `${base}`)) throw storeUnavailable();
			const more = rows.length < found.length;
			const end = more ? toInt64(rows.at(-1)?.position ?? from) : safe;
			return {
				entries: rows.flatMap((row) => toEntry(row, base)),
				next: base + end,
				more,
			};
		},
		async last() {
			const { base, safe } = await readHorizon();
			return base + safe;
		},
	};
}

function toEntry(row: EngineRow, base: bigint): FeedEntry[] {
	const kind = oneOf(changeKinds, row.kind);
	const pet = row.id === null ? undefined : toPet(row);
	// A missing animal has a later entry for its removal, so this one is left out.
	if (pet === undefined && kind !== "removed") return [];
	const position = base + toInt64(row.position);
	return [{ position, kind, petId: toInt64(row.petId), pet }];
}

/** Its values are the position to read after, the last position and the limit. SQLite prepares a plain `LIMIT $3` again for each value. */
const entries = `
	SELECT * FROM (
		SELECT id AS position, 'added' AS kind, id AS pet_id FROM petstore.pets
		WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3 + 0
	) AS added
	UNION ALL
	SELECT * FROM (
		SELECT position, kind, pet_id FROM petstore.changes
		WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3 + 0
	) AS changed
	ORDER BY position LIMIT $3 + 0`;

/** The base is read in the same snapshot as the entries. */
const entryColumns = `position, kind, pet_id AS "petId", (SELECT feed_base FROM petstore.catalogue) AS base`;

const feedPage = {
	name: "readFeed",
	text: `SELECT ${entryColumns}, ${petColumns}
	FROM (${entries}) AS page LEFT JOIN petstore.pets ON id = pet_id AND kind <> 'removed' ORDER BY position`,
};
