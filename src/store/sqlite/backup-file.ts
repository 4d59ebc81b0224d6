// Backups: SQLite files that are written once, and read as any other of our files.
import { Database } from "bun:sqlite";
import { type Checked, checkRows, toUnreadable } from "../check.ts";
import { runAtOnce, type Work } from "../sql.ts";
import { schemaMark, tableNames, tables, toSqlName } from "../tables.ts";
import {
	here,
	type Place,
	readCounters,
	type TransferOptions,
	transfer,
} from "../transfer.ts";
import {
	connectionOptions,
	findDamage,
	openDatabase,
	orClosed,
	toRunner,
} from "./connection.ts";
import { orOperatorError } from "./errors.ts";
import { prepareSchema, toHeader } from "./schema.ts";

/** What a backup says about itself. */
export interface Origin {
	/** The id of the catalogue. */
	readonly catalogue: string;
	/** When it was begun. */
	readonly madeAt: number;
}

/** Makes a backup of an empty file. A failure leaves an unusable file. */
export function createBackupFile(path: string) {
	const db = new Database(path, connectionOptions);
	const runner = toRunner(db);
	// The file gets its final name after a sync, so it needs no journal and no earlier syncs. Bun's SQLite refuses OFF; in memory the journal
	// has only the pages of the empty tables.
	db.run("PRAGMA journal_mode = MEMORY");
	db.run("PRAGMA synchronous = OFF");
	prepareSchema(db, path, "create");
	return {
		/** A part of a transaction, or of a snapshot. */
		*write(onRows: TransferOptions["onRows"]): Work<Origin> {
			const madeAt = Date.now();
			const { id } = yield* readCounters();
			db.run("BEGIN");
			yield* transfer(here, toPlace(runner), { onRows });
			db.run("UPDATE catalogue SET id = ?, made_at = ?", [id, madeAt]);
			db.run("COMMIT");
			return { catalogue: id, madeAt };
		},
		close: runner.close,
	};
}

function toPlace(runner: ReturnType<typeof toRunner>): Place {
	// biome-ignore lint/correctness/useYield: it runs in the file, at once.
	return function* (work) {
		return runAtOnce(runner, work);
	};
}

/** Opens a backup, or any other of our files. It stays unchanged. */
export function openBackupFile(path: string) {
	const db = orOperatorError(path, () =>
		orClosed(openDatabase(path, "restore"), addLater),
	);
	const runner = toRunner(db);
	db.run("BEGIN");
	return {
		/** For `transfer`. */
		place: toPlace(runner),
		check(): Checked {
			try {
				return runAtOnce(
					runner,
					checkRows(() => findDamage(db)),
				);
			} catch (error) {
				return toUnreadable(error);
			}
		},
		[Symbol.dispose]: runner.close,
	};
}

/** An earlier version made tables with fewer columns. A view in the place of each has them too, without values. */
function addLater(db: Database): Database {
	db.run("PRAGMA query_only = OFF");
	for (const name of tableNames) {
		const table = toSqlName(name);
		const found = db.query(`SELECT name FROM pragma_table_info('${table}')`);
		const known = found.values().flat();
		const later = Object.keys(tables[name].columns)
			.map(toSqlName)
			.filter((column) => !known.includes(column))
			.map((column) => `NULL AS ${column}`);
		// A table that is missing is damage.
		if (known.length > 0 && later.length > 0)
			db.run(
				`CREATE TEMP VIEW ${table} AS SELECT *, ${later} FROM main.${table}`,
			);
	}
	db.run("PRAGMA query_only = ON");
	return db;
}

/** A backup, by the first 100 bytes of a file. A database that was served has a WAL: it must never be removed as an old backup. */
export function isBackup(bytes: Buffer): boolean {
	const header = toHeader(bytes);
	return header?.mark === schemaMark && !header.hasWal;
}
