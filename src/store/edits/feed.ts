// The feed: animals that were added, changed and removed. A reader that applies all entries in order has the catalogue.
import { storeUnavailable } from "../../domain/errors.ts";
import type { ChangeKind } from "../../domain/pet/change-kinds.ts";
import { petNames, type StoredPet } from "../../domain/pet/pet.ts";
import { toRecord } from "../../domain/types/field.ts";
import { createBatch } from "../database/batch.ts";
import type { Engine } from "../database/engine.ts";
import { all, type Value } from "../database/sql.ts";
import { selectEpoch } from "../database/state.ts";
import { petColumns } from "../database/tables.ts";

export type Feed = ReturnType<typeof openFeed>;

interface FeedQuery {
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

interface FeedEntry {
	readonly position: bigint;
	readonly kind: ChangeKind;
	readonly petId: bigint;
	/** Undefined if the animal was removed. */
	readonly pet: StoredPet | undefined;
}

/** A position is `base` + a value of the counter. When content is replaced, another base begins: no position is valid in two epochs. */
export function openFeed({ state, read }: Engine) {
	// One page at a time, since it can have a thousand animals. Other requests are answered in between.
	const readPage = createBatch(
		async ([values = []]: readonly (readonly Value[])[]) => [
			await read(() => all<FoundEntry>("read feed", page, values)),
		],
		{ maxSize: 1 },
	);
	return {
		/** The entries after a position, oldest first, each with the current state of its animal. "gone" for a position of another database. */
		async read({ after, limit }: FeedQuery): Promise<FeedPage | "gone"> {
			const { epoch, last } = await state();
			const base = BigInt(epoch);
			const from = after === 0n ? 0n : after - base;
			if (from < 0n || from > last) return "gone";
			const found = await readPage([from, last, limit + 1]);
			const rows = found.slice(0, limit);
			// The content was replaced after the state was read. The next read finds that out by the base.
			if (rows.some((row) => row.epoch !== epoch)) throw storeUnavailable();
			const more = rows.length < found.length;
			return {
				entries: rows.flatMap((row) => toEntry(row, base)),
				next: base + (more ? (rows.at(-1)?.position ?? from) : last),
				more,
			};
		},
		/** Changes when a new entry can be read. */
		async last(): Promise<bigint> {
			const { epoch, last } = await state();
			return BigInt(epoch) + last;
		},
	};
}

export interface FoundEntry
	extends Partial<StoredPet>,
		Pick<FeedEntry, "position" | "kind" | "petId"> {
	/** Of the same moment as the entry. */
	readonly epoch: string;
}

function toEntry(row: FoundEntry, base: bigint): FeedEntry[] {
	const { kind, petId } = row;
	const pet =
		row.id == null
			? undefined
			: toRecord<StoredPet>(petNames, (name) => row[name]);
	// A missing animal has a later entry for its removal, so this one is left out.
	return pet === undefined && kind !== "removed"
		? []
		: [{ position: base + row.position, kind, petId, pet }];
}

const page = toPage(`(${selectEpoch}) AS epoch`);

/** Its values are the position to read after, the last position and the limit. SQLite prepares a plain `LIMIT $3` again for each value. */
export function toPage(column: string): string {
	return `
	SELECT position, kind, pet_id AS "petId", ${column}, ${petColumns} FROM (
		SELECT * FROM (
			SELECT id AS position, 'added' AS kind, id AS pet_id FROM pets
			WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3 + 0
		) AS added
		UNION ALL
		SELECT * FROM (
			SELECT position, kind, pet_id FROM changes
			WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3 + 0
		) AS changed
		ORDER BY position LIMIT $3 + 0
	) AS page LEFT JOIN pets ON pets.id = pet_id AND kind <> 'removed' ORDER BY position`;
}
