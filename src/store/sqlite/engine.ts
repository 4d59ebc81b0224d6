// The embedded engine: one SQLite file, or a database in memory.
import type { Store } from "../store.ts";
import { openArchive } from "./archive.ts";
import { openCatalogue } from "./catalogue.ts";
import {
	memory,
	openDatabase,
	retryWhileBusy,
	setLockTimeout,
} from "./database.ts";
import { openKeys } from "./keys.ts";
import { openReads, prepareReads, readWithoutSnapshot } from "./reads.ts";
import { openWriter } from "./writer/writer.ts";
import { prepareWrites } from "./writer/writes.ts";

/** Takes a path or `:memory:`. Without `create`, the file must be there. */
export function openSqlite(
	path: string,
	{ create }: { create: boolean },
): Store {
	const db = openDatabase(path, create);
	// A database in memory belongs to one connection, has no WAL and waits for no disk.
	const isMemory = path === memory;
	const reads = isMemory
		? readWithoutSnapshot(prepareReads(db))
		: openReads(path);
	const writer = isMemory
		? prepareWrites(db)
		: openWriter(db, path, reads.endSnapshot);
	const ping = db.query("SELECT 1 FROM pets LIMIT 1");

	const store: Store = {
		catalogue: openCatalogue(db, reads, writer),
		keys: openKeys(db, writer),
		archive: openArchive(db, path),
		async ping() {
			await retryWhileBusy(() => ping.get());
		},
		async close() {
			reads.close();
			await writer.close();
			db.close();
		},
	};
	setLockTimeout(db, 0);
	return store;
}
