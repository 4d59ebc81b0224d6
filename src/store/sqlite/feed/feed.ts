// The feed of changes in SQLite. Only one transaction at a time writes, so the order of positions is the order of commits.
import type { Database } from "bun:sqlite";
import type { Authored } from "../../../domain/author.ts";
import { idsExhausted } from "../../../domain/errors.ts";
import { maxInt64 } from "../../../domain/json.ts";
import type { StoredPet } from "../../../domain/pet.ts";
import {
	type ChangeKind,
	entryBytes,
	type FeedPage,
	type FeedQuery,
	type FeedRow,
	toCounter,
	toEntries,
} from "../../feed.ts";
import { insertHistory, toBefore } from "../../history.ts";
import { bytesOf } from "../../queue/long-page.ts";
import { petColumns } from "../../rows.ts";
import { readEpoch } from "./epoch.ts";

/** Both reads need a snapshot, or must not be interrupted by a write. They call `renew` first. */
export function prepareFeedReads(
	db: Database,
	renew: () => unknown = () => {},
) {
	const getPet = db.query<StoredPet, [bigint]>(
		`SELECT ${petColumns} FROM pets WHERE id = ?`,
	);
	const find = ({ petId }: FeedRow) => getPet.get(petId) ?? undefined;
	// `+ 0`, since SQLite prepares a statement again for each value of a plain `LIMIT ?`.
	const rows = db.query<FeedRow, [bigint, number]>(
		`SELECT * FROM (SELECT id AS position, 'added' AS kind, id AS petId FROM pets WHERE id > ?1 ORDER BY id LIMIT ?2 + 0)
		UNION ALL
		SELECT * FROM (SELECT position, kind, pet_id AS petId FROM changes WHERE position > ?1 ORDER BY position LIMIT ?2 + 0)
		ORDER BY position LIMIT ?2 + 0`,
	);
	return {
		readFeed({ after, limit, maxBytes }: FeedQuery): FeedPage | "gone" {
			renew();
			const { base, lastId: last } = readEpoch(db);
			const from = toCounter(after, { base, last });
			if (from === undefined) return "gone";
			const found = rows.all(from, limit + 1);
			let bytes = 0;
			let taken = 0;
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
		readLastPosition(): bigint {
			renew();
			const { base, lastId } = readEpoch(db);
			return base + lastId;
		},
	};
}

/**
 * Records a change of an animal in the feed and in the history, and returns its position. Call it inside the transaction, before the row
 * changes. Without `authored`, no history is kept.
 */
export function prepareRecord(
	db: Database,
): (petId: bigint, kind: ChangeKind, authored: Authored | undefined) => bigint {
	// SQLite would turn a number above int64 into a float.
	const draw = db.query<{ seq: bigint }, []>(
		`UPDATE sqlite_sequence SET seq = seq + 1
		WHERE name = 'pets' AND seq < ${maxInt64} RETURNING seq`,
	);
	// REPLACE, since an earlier change of the animal may have a row.
	const save = db.query<never, [bigint, bigint, ChangeKind]>(
		"INSERT OR REPLACE INTO changes (position, pet_id, kind) VALUES (?, ?, ?)",
	);
	const remember = db.query(
		`${insertHistory.replace("petstore.", "")}
		SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ${toBefore("pets")} FROM (SELECT 1) LEFT JOIN pets ON id = ?2`,
	);
	return (petId, kind, authored) => {
		const position = draw.get()?.seq;
		if (position === undefined) throw idsExhausted;
		save.run(position, petId, kind);
		if (authored !== undefined) {
			const { at, by } = authored;
			const author = [by.kind, by.id ?? null, by.name ?? null];
			remember.run(position, petId, kind, at, ...author);
		}
		return position;
	};
}
