// Writes the animals of an attached staging file, with statements for many rows. Each statement is closed after use, because SQLite cannot
// detach a file in use.
import type { Database } from "bun:sqlite";
import type { Authored } from "../../../domain/author.ts";
import { givenNames } from "../../../domain/pet.ts";
import type { StagedWrites } from "../../archive/write.ts";
import { insertHistory, toBefore } from "../../history.ts";
import { toList, toMerged } from "../../rows.ts";
import { readLastId, setLastId } from "../feed/epoch.ts";

const given = toList(givenNames);
/** Of the animals after the update. */
const merged = toMerged("lines", "pets");

export function toStagedWrites(db: Database): StagedWrites {
	return {
		add({ after, to }, lastId, { addedAt, addedBy }) {
			const added = run(
				`INSERT INTO main.pets (id, ${given}, added_at, added_by)
				SELECT ? + number, ${given}, ?, ? FROM staging.staged WHERE number > ? AND number <= ?`,
				[lastId, addedAt, addedBy, after, to],
			);
			return { added, changed: 0, unchanged: 0, problems: [] };
		},

		update({ after, to }, earlier, { addedAt, addedBy }, authored) {
			using problem = db.prepare<unknown, [number, number, bigint]>(
				`SELECT 1 FROM staging.staged AS lines LEFT JOIN main.pets ON pets.id = lines.id
				WHERE number > ? AND number <= ? AND lines.id IS NOT NULL
					AND (pets.id IS NULL OR pets.id > ? OR lines.version <> ifnull(pets.version, pets.id)) LIMIT 1`,
			);
			if (problem.get(after, to, earlier) !== null) return undefined;
			db.run(
				`CREATE TEMP TABLE IF NOT EXISTS changing (number INTEGER PRIMARY KEY, id INTEGER, ${given})`,
			);
			db.run("DELETE FROM changing");
			const changed = run(
				`INSERT INTO changing (id, ${given}) SELECT pets.id, ${merged}
				FROM staging.staged AS lines JOIN main.pets ON pets.id = lines.id
				WHERE number > ? AND number <= ? AND (${toList(givenNames, (column) => `pets.${column}`)}) IS NOT (${merged})
				ORDER BY number`,
				[after, to],
			);
			const lastId = readLastId(db);
			if (changed > 0) change(lastId, authored);
			const drawn = lastId + BigInt(changed);
			const added = run(
				`INSERT INTO main.pets (id, ${given}, added_at, added_by)
				SELECT ? + row_number() OVER (ORDER BY number), ${given}, ?, ?
				FROM staging.staged WHERE number > ? AND number <= ? AND id IS NULL`,
				[drawn, addedAt, addedBy, after, to],
			);
			setLastId(db, drawn + BigInt(added));
			const unchanged = to - after - added - changed;
			return { added, changed, unchanged, problems: [] };
		},
	};

	function run(sql: string, values: (number | bigint | null)[]): number {
		return Number(db.run(sql, values).changes);
	}

	/** The history first, since it copies the rows before the change. */
	function change(lastId: bigint, authored: Authored | undefined): void {
		if (authored !== undefined) {
			const { by, at } = authored;
			db.run(
				`${insertHistory.replace("petstore.", "main.")}
				SELECT ? + number, pets.id, 'changed', ?, ?, ?, ?, ${toBefore("pets")} FROM changing JOIN main.pets USING (id) ORDER BY number`,
				[lastId, at, by.kind, by.id ?? null, by.name ?? null],
			);
		}
		db.run(
			`UPDATE main.pets SET ${toList(givenNames, (column) => `${column} = changing.${column}`)}, version = ? + number
			FROM changing WHERE pets.id = changing.id`,
			[lastId],
		);
		db.run(
			"INSERT OR REPLACE INTO main.changes (position, pet_id, kind) SELECT ? + number, id, 'changed' FROM changing",
			[lastId],
		);
	}
}
