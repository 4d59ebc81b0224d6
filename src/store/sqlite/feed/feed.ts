// Writes the feed of changes in SQLite. Only one transaction at a time writes, so the order of positions is the order of commits.
import type { Database } from "bun:sqlite";
import type { Authored } from "../../../domain/author.ts";
import { idsExhausted } from "../../../domain/errors.ts";
import { maxInt64 } from "../../../domain/json.ts";
import type { ChangeKind } from "../../feed.ts";
import { insertHistory, toBefore } from "../../history.ts";
import { toSqliteText } from "../sql.ts";

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
		`${toSqliteText(insertHistory)}
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
