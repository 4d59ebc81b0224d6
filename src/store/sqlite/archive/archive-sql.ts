// What the reading and writing of an archive needs of SQLite.
import type { Database } from "bun:sqlite";
import type { ArchiveSource } from "../../archive/read.ts";
import { toSqlName, toTable } from "../../archive/tables.ts";
import type { ArchiveTarget, OnConflict } from "../../archive/write.ts";
import { exportRows } from "../../export.ts";
import { readEpoch, setEpoch } from "../feed/epoch.ts";
import { toSql } from "../sql.ts";
import { preparePages } from "./export.ts";

export function toSource(db: Database): ArchiveSource {
	const next = preparePages(db, {});
	return {
		sql: toSql(db),
		readEpoch: () => readEpoch(db),
		readPets: (after) => next(after, exportRows),
	};
}

export function toTarget(db: Database): ArchiveTarget {
	return {
		sql: toSql(db),
		readEpoch: () => readEpoch(db),
		setEpoch: (epoch) => setEpoch(db, epoch),
		insert(name, rows, onConflict) {
			const columns = Object.keys(toTable(name).columns);
			const insert = db.query(
				`INSERT ${clauses[onConflict]} INTO ${toSqlName(name)} (${columns.map(toSqlName).join(", ")})
				VALUES (${columns.map(() => "?").join(", ")})`,
			);
			for (const row of rows)
				insert.run(...columns.map((column) => row[column] ?? null));
		},
	};
}

const clauses: Readonly<Record<OnConflict, string>> = {
	fail: "",
	replace: "OR REPLACE",
	ignore: "OR IGNORE",
};
