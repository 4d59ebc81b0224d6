// Backups: SQLite files that are written once, and read as any other of our files.
import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { OperatorError } from "../../domain/errors.ts";
import { schemaSteps } from "../database/schema.ts";
import { all, first, runAtOnce, type Work } from "../database/sql.ts";
import {
	schemaMark,
	tableNames,
	tables,
	toSelected,
	toSqlName,
} from "../database/tables.ts";
import { type Checked, checkRows, toUnreadable } from "../files/check.ts";
import { createContentHash, hashContent } from "../files/content-hash.ts";
import {
	inTransaction,
	type RunIn,
	readCounters,
	type TransferOptions,
	transfer,
} from "../files/transfer.ts";
import {
	connectionOptions,
	findDamage,
	indexNames,
	openDatabase,
	orClosed,
	toRunner,
} from "./connection.ts";
import { orOperatorError } from "./errors.ts";
import { findForeign, prepareSchema, readPragma, toHeader } from "./schema.ts";

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
			const hash = createContentHash();
			db.run("BEGIN");
			yield* transfer(inTransaction, toRunIn(runner), {
				onRows(name, rows) {
					hash.add(name, rows);
					onRows?.(name, rows);
				},
			});
			db.run("UPDATE catalogue SET id = ?, made_at = ?", [id, madeAt]);
			// The row stays in its page.
			db.run("UPDATE catalogue SET content_hash = ?, bytes = ?", [
				runAtOnce(runner, hash.end()),
				readPragma(db, "page_count") * readPragma(db, "page_size"),
			]);
			db.run("COMMIT");
			return { catalogue: id, madeAt };
		},
		close: runner.close,
	};
}

function toRunIn(runner: ReturnType<typeof toRunner>): RunIn {
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
		runIn: toRunIn(runner),
		/** The names of the keys that work after a restore into an empty database. */
		readValidKeys: (): readonly string[] =>
			runAtOnce(
				runner,
				all<{ name: string }>(
					"list valid keys",
					"SELECT name FROM keys WHERE revoked_at IS NULL AND coalesce(expires_at > $1, true) ORDER BY id",
					[Date.now()],
				),
			).map(({ name }) => name),
		/** `isNew`: this process has just written it, with a hash of what it wrote. */
		check({ isNew = false } = {}): Checked {
			try {
				return runAtOnce(runner, checkFile(db, path, isNew));
			} catch (error) {
				return toUnreadable(error);
			}
		},
		[Symbol.dispose]: runner.close,
	};
}

function* checkFile(db: Database, path: string, isNew: boolean): Work<Checked> {
	const isNewest = readPragma(db, "user_version") === schemaSteps.length + 1;
	const checked = yield* checkRows({
		findDamage: () => findDamage(db),
		indexNames: isNewest ? indexNames : undefined,
	});
	if (isNew || checked.problems > 0) return checked;
	const row = yield* first<Seal>(
		"read seal",
		`SELECT ${toSelected("catalogue", ["madeAt", "contentHash", "bytes"])} FROM catalogue`,
	);
	const { madeAt, contentHash, bytes } = row ?? {};
	if (!contentHash && (!madeAt || !isNewest))
		return { ...checked, note: unsealed };
	const size = statSync(path).size;
	const finding =
		BigInt(size) !== bytes
			? `The file has ${size} bytes, and was made with ${bytes}.`
			: contentHash !== (yield* hashContent())
				? "The content differs from that when the backup was made."
				: undefined;
	return finding === undefined
		? checked
		: { ...checked, problems: 1, findings: [finding] };
}

interface Seal {
	/** Undefined or null in the backup of 1.0.0, and in a database that was served. */
	readonly madeAt: bigint | null;
	readonly contentHash: string | null;
	readonly bytes: bigint | null;
}

const unsealed =
	"The file has no SHA-256 of its content, because version 1.0.0 made it or a service has used it as its database. A changed value in it cannot be noticed.";

/** An earlier version made tables with fewer columns. A view in the place of each has them too, without values. */
function addLater(db: Database): Database {
	const [foreign] = findForeign(db);
	if (foreign !== undefined) throw new OperatorError(foreign);
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
