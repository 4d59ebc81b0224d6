// Reads all data of a SQLite database, and writes it into one. Imports use its transactions.
import type { Database } from "bun:sqlite";
import type { Archive, Part } from "../../archive/archive.ts";
import { readParts } from "../../archive/read.ts";
import { tables, toInsert } from "../../archive/tables.ts";
import type { ArchiveTarget, Transact } from "../../archive/write.ts";
import { beginLong, commit, connectAgain } from "../database.ts";
import { toFailure } from "../errors.ts";
import { readEpoch, readLastId, setEpoch, setLastId } from "../feed/epoch.ts";
import { memory } from "../files/file.ts";
import type { FileGuard } from "../files/file-guard.ts";
import { checkpointAll } from "../files/wal.ts";
import { toSql, toSqliteText } from "../sql.ts";
import { openSecond, toSource } from "./export.ts";
import { toStagedWrites } from "./staged.ts";

export function openArchiveReader(
	db: Database,
	path: string,
	guard: FileGuard,
): Pick<Archive, "read"> {
	return {
		async *read() {
			using reader = openSecond(db, path, guard);
			yield* readArchive(reader);
		},
	};
}

/** In one read transaction, so all parts are of one moment. */
export async function* readArchive(db: Database): AsyncGenerator<Part> {
	db.run("BEGIN");
	try {
		yield* readParts(toSource(db));
	} finally {
		db.run("COMMIT");
	}
}

/** A transaction of SQLite locks all tables. A checkpoint follows it. A database in memory has no second connection. */
export function toTransact(
	db: Database,
	path: string,
	guard: FileGuard,
): Transact {
	return async (_tables, options, write) => {
		const { staged, isServing } = options;
		const run = async (on: Database) => {
			if (staged !== undefined) on.run("ATTACH ? AS staging", [staged.path]);
			try {
				return await inTransaction(on, write);
			} finally {
				if (staged !== undefined) on.run("DETACH staging");
			}
		};
		if (path === memory) return run(db);
		// It opens the file at the path, which may be another.
		guard();
		using writer = connectAgain(path);
		const result = await run(writer);
		if (!isServing) checkpointAll(writer);
		guard();
		return result;
	};
}

export async function inTransaction<Result>(
	db: Database,
	write: (target: ArchiveTarget) => Promise<Result>,
): Promise<Result> {
	await beginLong(db);
	try {
		const result = await write(toTarget(db));
		commit(db);
		return result;
	} catch (error) {
		if (db.inTransaction) db.run("ROLLBACK");
		throw toFailure(error);
	}
}

/** Rows in one INSERT: several are faster than one. */
const rowsOfInsert = 50;

function toTarget(db: Database): ArchiveTarget {
	return {
		sql: toSql(db),
		readEpoch: () => readEpoch(db),
		setEpoch: (epoch) => setEpoch(db, epoch),
		drawIds(count) {
			const lastId = readLastId(db);
			setLastId(db, lastId + BigInt(count));
			return Array.from(
				{ length: count },
				(_, index) => lastId + BigInt(index + 1),
			);
		},
		staged: toStagedWrites(db),
		insert(name, rows, replace = false) {
			const columns = Object.keys(tables[name].columns);
			const marks = `(${columns.map(() => "?").join(", ")})`;
			for (let done = 0; done < rows.length; done += rowsOfInsert) {
				const some = rows.slice(done, done + rowsOfInsert);
				const values = `VALUES ${some.map(() => marks).join(", ")}`;
				db.query(toSqliteText(toInsert(name, values, replace))).run(
					...some.flatMap((row) => columns.map((name) => row[name] ?? null)),
				);
			}
		},
	};
}
