// Backups: SQLite files that are written once, and read as any other of our files.
import { SQLiteError } from "bun:sqlite";
import { closeSync, openSync, readSync } from "node:fs";
import type { Origin, Part } from "../../archive/archive.ts";
import { writeParts } from "../../archive/write.ts";
import { connectionOptions } from "../database.ts";
import { readEpoch } from "../feed/epoch.ts";
import { openConnection } from "../files/library.ts";
import { applicationId, migrate } from "../schema.ts";
import { inTransaction } from "./archive.ts";

/** Into an empty file. A failure leaves an unusable file. */
export async function writeBackupFile(
	path: string,
	parts: AsyncIterable<Part>,
): Promise<Origin> {
	const madeAt = Date.now();
	using db = openConnection(path, connectionOptions);
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

/** Undefined for a backup of an older schema, a database that is or was served, or any other file. */
export function findOrigin(path: string): Origin | undefined {
	if (readKind(path) !== "backup") return undefined;
	try {
		using db = openConnection(path, { readonly: true, strict: true });
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

/** The kind of a file, by its header; undefined if the file is not ours. A database that was served has a WAL, a backup has none. */
export function readKind(path: string): "backup" | "database" | undefined {
	const header = Buffer.alloc(100);
	try {
		const file = openSync(path, "r");
		readSync(file, header, 0, header.length, 0);
		closeSync(file);
	} catch {
		return undefined;
	}
	const isOurs =
		header.toString("latin1", 0, 16) === "SQLite format 3\0" &&
		header.readUInt32BE(68) === applicationId;
	if (!isOurs) return undefined;
	const [writeVersion, readVersion] = [header[18], header[19]];
	return writeVersion === 1 && readVersion === 1 ? "backup" : "database";
}
