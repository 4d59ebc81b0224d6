// Backups: SQLite files that are written once, and read as any other of our files.
import { Database, SQLiteError } from "bun:sqlite";
import type { Origin, Part } from "../../archive/archive.ts";
import { writeParts } from "../../archive/write.ts";
import { schemaMark } from "../../schema.ts";
import { connectionOptions } from "../database.ts";
import { readEpoch } from "../feed/epoch.ts";
import { migrate, readHeader } from "../schema.ts";
import { inTransaction } from "./archive.ts";

/** Into an empty file. A failure leaves an unusable file. */
export async function writeBackupFile(
	path: string,
	parts: AsyncIterable<Part>,
): Promise<Origin> {
	const madeAt = Date.now();
	using db = new Database(path, connectionOptions);
	// The file gets its final name after a sync, so it needs no journal and no earlier syncs. Bun's SQLite refuses OFF; in memory the journal
	// has only the pages of the empty tables.
	db.run("PRAGMA journal_mode = MEMORY");
	db.run("PRAGMA synchronous = OFF");
	migrate(db, path);
	await inTransaction(db, (target) =>
		writeParts(target, async () => true, parts),
	);
	db.run("UPDATE catalogue SET made_at = ?", [madeAt]);
	return { catalogue: readEpoch(db).id, madeAt };
}

/** Undefined for a database that is or was served, or any other file. */
export function findOrigin(path: string): Origin | undefined {
	// A database that was served has a WAL, a backup has none.
	if (!isOurs(path) || readHeader(path)?.hasWal !== false) return undefined;
	try {
		using db = new Database(path, { readonly: true, strict: true });
		const found = db
			.query<Origin, []>(
				"SELECT id AS catalogue, made_at AS madeAt FROM catalogue WHERE made_at IS NOT NULL",
			)
			.get();
		return found ?? undefined;
	} catch (error) {
		if (error instanceof SQLiteError) return undefined;
		throw error;
	}
}

/** Whether it is a database of ours, or a backup of one. */
export function isOurs(path: string): boolean {
	return readHeader(path)?.mark === schemaMark;
}
