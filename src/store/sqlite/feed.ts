// The feed of changes in SQLite. Only one transaction at a time writes, so the order of positions is the order of commits.
import type { Database } from "bun:sqlite";
import { idsExhausted } from "../../contract/errors.ts";
import { maxInt64 } from "../../contract/json.ts";
import type { Pet } from "../../contract/pet.ts";
import type { Changed, PetChange } from "../catalogue.ts";
import {
	type ChangeKind,
	entryBytes,
	type FeedPage,
	type FeedQuery,
	type FeedRow,
	toCounter,
	toEntries,
} from "../feed.ts";
import { bytesOf } from "../long-page.ts";
import { readEpoch } from "./epoch.ts";

export interface FeedReads {
	readonly readFeed: (query: FeedQuery) => FeedPage | "gone";
	readonly readLastPosition: () => bigint;
}

/** Both reads need a snapshot, or must not be interrupted by a write. */
export function prepareFeedReads(
	db: Database,
	getPet: (id: bigint) => Pet | undefined,
): FeedReads {
	const rows = db.query<FeedRow, [bigint, number]>(
		`SELECT * FROM (SELECT id AS position, 'added' AS kind, id AS petId FROM pets WHERE id > ?1 ORDER BY id LIMIT ?2)
		UNION ALL
		SELECT * FROM (SELECT position, kind, pet_id AS petId FROM changes WHERE position > ?1 ORDER BY position LIMIT ?2)
		ORDER BY position LIMIT ?2`,
	);
	return {
		readFeed({ after, limit, maxBytes }) {
			const { base, lastId: last } = readEpoch(db);
			const from = toCounter(after, { base, last });
			if (from === undefined) return "gone";
			const found = rows.all(from, limit + 1);
			let bytes = 0;
			let taken = 0;
			const find = ({ petId }: FeedRow) => getPet(petId);
			const entries = found.slice(0, limit).flatMap((row) => {
				if (bytes > maxBytes) return [];
				taken++;
				const made = toEntries([row], base, find);
				for (const { pet } of made)
					bytes += entryBytes + (pet === undefined ? 0 : bytesOf([pet]));
				return made;
			});
			const more = taken < found.length;
			const end = found[taken - 1]?.position ?? from;
			return { entries, next: base + (more ? end : last), more };
		},
		readLastPosition() {
			const { base, lastId } = readEpoch(db);
			return base + lastId;
		},
	};
}

/** Gives every changed animal of a transaction its position. Called inside the transaction. */
export function prepareFeedWrites(
	db: Database,
): (changes: readonly PetChange[], changed: Changed) => void {
	// SQLite would turn a number above int64 into a float.
	const draw = db.query<{ seq: bigint }, [bigint]>(
		`UPDATE sqlite_sequence SET seq = seq + ?1
		WHERE name = 'pets' AND seq <= ${maxInt64} - ?1 RETURNING seq`,
	);
	// REPLACE, since an earlier change of the animal may have a row.
	const save = db.query<never, [bigint, bigint, ChangeKind]>(
		"INSERT OR REPLACE INTO changes (position, pet_id, kind) VALUES (?, ?, ?)",
	);
	return (changes, changed) => {
		const kinds = toKinds(changes, changed);
		if (kinds.size === 0) return;
		const last = draw.get(BigInt(kinds.size))?.seq;
		if (last === undefined) throw idsExhausted;
		let position = last - BigInt(kinds.size);
		for (const [petId, kind] of kinds) save.run(++position, petId, kind);
	};
}

/** By animal: what all changes together have done to it. */
function toKinds(
	changes: readonly PetChange[],
	changed: Changed,
): ReadonlyMap<bigint, ChangeKind> {
	if (changed.outcome !== "changed") return new Map();
	return new Map(
		changes.map(({ petId }, index) => [
			petId,
			changed.pets[index] === undefined ? "removed" : "changed",
		]),
	);
}
