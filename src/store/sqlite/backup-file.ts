// Backups: SQLite files that are written once, and read as any other of our files.
import type { Part } from "../archive.ts";
import { writeParts } from "./archive/write.ts";
import { connectionOptions } from "./database.ts";
import { openConnection } from "./library.ts";
import { migrate } from "./schema.ts";

/** Into an empty file. What fails leaves a file that is of no use. */
export async function writeBackupFile(
	path: string,
	parts: AsyncIterable<Part>,
): Promise<void> {
	const db = openConnection(path, connectionOptions);
	try {
		// The file has its final name only after it was synced as a whole, so it needs no syncs before that, and no journal. Bun's SQLite
		// refuses OFF; in memory the journal has only the pages of the empty tables.
		db.run("PRAGMA journal_mode = MEMORY");
		db.run("PRAGMA synchronous = OFF");
		migrate(db, path);
		await writeParts(db, () => true, parts);
	} finally {
		db.close();
	}
}
