// The embedded engine: one SQLite file, or a database in memory.
import type { Database } from "bun:sqlite";
import { storeUnavailable } from "../../contract/errors.ts";
import type { Store } from "../store.ts";
import { openArchive } from "./archive/archive.ts";
import { openCatalogue } from "./catalogue.ts";
import { openDataVersion } from "./data-version.ts";
import {
	memory,
	openDatabase,
	readOrRetry,
	retryWhileBusy,
	setLockTimeout,
} from "./database.ts";
import { describeDatabase } from "./description.ts";
import { openExports } from "./export.ts";
import { type DatabaseFile, watchDatabaseFile } from "./file-watch.ts";
import { openImports } from "./import.ts";
import { openKeys } from "./keys.ts";
import {
	openReads,
	prepareReads,
	type Reads,
	readWithoutSnapshot,
} from "./reads.ts";
import { openSessions } from "./sessions.ts";
import { openUsage } from "./usage.ts";
import { openWriter } from "./writer/writer.ts";
import { prepareWrites, type Writes } from "./writer/writes.ts";

/** Takes a path or `:memory:`. Without `create`, the file must be there. */
export function openSqlite(
	path: string,
	{ create, onAddBatch, mappedBytes = 0 }: EngineOptions,
): Store {
	const db = openDatabase(path, create);
	const { reads, writer, requireSame, onFailure, close } =
		path === memory ? openInMemory(db) : openOnDisk(db, path, mappedBytes);
	const ping = db.query("SELECT 1 FROM pets LIMIT 1");

	const keys = openKeys(db, writer);
	const store: Store = {
		catalogue: openCatalogue(db, reads, writer, onAddBatch),
		keys,
		sessions: openSessions(db, keys),
		usage: openUsage(db, writer),
		feed: {
			read: (query) => readOrRetry(reads.readFeed, query),
			last: () => readOrRetry(reads.readLastPosition, undefined),
		},
		archive: openArchive(db, path),
		imports: openImports(db, path),
		exports: openExports(db, path),
		describe: () => retryWhileBusy(() => describeDatabase(db, path)),
		async ping() {
			requireSame();
			await retryWhileBusy(() => ping.get());
		},
		onFailure,
		close,
	};
	setLockTimeout(db, 0);
	return store;
}

interface EngineOptions {
	readonly create: boolean;
	/** Called with the number of adds in each batch. */
	readonly onAddBatch?: ((size: number) => void) | undefined;
	/** How much of the file is mapped into memory for reads. */
	readonly mappedBytes?: number;
}

interface Parts {
	readonly reads: Reads;
	readonly writer: Writes;
	/** Throws `unavailable` if the files of the database are not those that were opened. */
	readonly requireSame: () => void;
	readonly onFailure: Store["onFailure"];
	readonly close: () => Promise<void>;
}

function openOnDisk(db: Database, path: string, mappedBytes: number): Parts {
	const dataVersion = openDataVersion(path);
	const file = watchDatabaseFile(path, dataVersion.readCheckpoints);
	const reads = openReads(path, dataVersion.read, mappedBytes);
	const writer = openWriter(db, path, reads.endSnapshot);
	return {
		reads: guardReads(reads, file),
		writer: guardWrites(writer, file),
		requireSame: file.requireSame,
		onFailure: file.onChange,
		async close() {
			file.close();
			await writer.close();
			reads.close();
			dataVersion.close();
			db.close();
		},
	};
}

/** A database in memory belongs to one connection, has no WAL and waits for no disk. */
function openInMemory(db: Database): Parts {
	return {
		reads: readWithoutSnapshot(prepareReads(db)),
		writer: prepareWrites(db),
		requireSame() {},
		onFailure() {},
		close: async () => db.close(),
	};
}

/** A read may be of a file that was replaced a moment ago. If it fails, that may be why. */
function guardReads(
	reads: Reads,
	{ requireSame, requireSeenSame }: DatabaseFile,
): Reads {
	function guard<Argument, Result>(read: (argument: Argument) => Result) {
		return (argument: Argument): Result => {
			requireSeenSame();
			try {
				return read(argument);
			} catch (error) {
				requireSame();
				throw error;
			}
		};
	}
	const readLastPosition = guard(reads.readLastPosition);
	return {
		...reads,
		listPets: guard(reads.listPets),
		getPet: guard(reads.getPet),
		countPets: guard(reads.countPets),
		readFeed: guard(reads.readFeed),
		readLastPosition: () => readLastPosition(undefined),
	};
}

/** Looks at the files before a write, which may run a checkpoint, and after it, so that no lost write is acknowledged, and a failure has its true reason. */
function guardWrites(writer: Writes, { requireSame }: DatabaseFile): Writes {
	async function guard<Result>(write: () => Promise<Result>): Promise<Result> {
		requireSame();
		try {
			return await write();
		} finally {
			requireSame(storeUnavailable);
		}
	}
	return {
		addPets: (additions) => guard(() => writer.addPets(additions)),
		changePets: (changes) => guard(() => writer.changePets(changes)),
		deleteIdempotencyKeys: (usedBefore) =>
			guard(() => writer.deleteIdempotencyKeys(usedBefore)),
		recordKeyUse: (id, at) => guard(() => writer.recordKeyUse(id, at)),
		addUsage: (rows) => guard(() => writer.addUsage(rows)),
		moveOldHours: () => guard(() => writer.moveOldHours()),
		deleteUsage: (level, startsBefore) =>
			guard(() => writer.deleteUsage(level, startsBefore)),
		close: writer.close,
	};
}
