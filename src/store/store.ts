// The store for a database URL: its parts are the same for both engines. An engine is loaded only if it is used.
// Times are milliseconds since 1970. When the engine cannot answer, a method fails with `unavailable`.
import { isBusy, StoreFailure, toReason } from "../domain/errors.ts";
import type { PetFilter } from "../domain/pet/filter.ts";
import { openKeys } from "./access/keys.ts";
import { openSessions } from "./access/sessions.ts";
import { openCatalogue } from "./animals/catalogue.ts";
import { openCategories } from "./animals/categories.ts";
import { openPlannedWrites } from "./animals/planned.ts";
import { openPetSnapshot } from "./animals/search.ts";
import { openCleanUp } from "./clean-up.ts";
import { readDatabaseUrl } from "./database/database-url.ts";
import type { Access, Engine } from "./database/engine.ts";
import { openFeed } from "./edits/feed.ts";
import { openBackups } from "./files/backups.ts";
import { type Checked, checkRows, toUnreadable } from "./files/check.ts";
import { openImports } from "./files/import.ts";
import { openArchive } from "./files/transfer.ts";
import { openHistory } from "./history/history.ts";
import { openEdits } from "./history/undo.ts";

export type Store = ReturnType<typeof toStore>;

export interface StoreOptions {
	readonly access: Access;
	/** Whether requests are served, which must not wait for a checkpoint after long work. */
	readonly isServing?: boolean;
	/** Whether changes get an entry in the history; true if not given. */
	readonly keepsHistory?: boolean | undefined;
}

export async function openStore(
	url: string,
	{ access, isServing = false, keepsHistory = true }: StoreOptions,
): Promise<Store> {
	const { path } = readDatabaseUrl(url);
	if (path === undefined) {
		const { openPostgres } = await import("./postgres/engine.ts");
		return toStore(await openPostgres(url, access), keepsHistory);
	}
	const { openSqlite } = await import("./sqlite/engine.ts");
	return toStore(openSqlite(path, access, isServing), keepsHistory);
}

/** Since when every write has failed, and why. */
interface WriteFailure {
	readonly since: number;
	readonly reason: string;
}

/** Notes the writes that fail. Those that others delay do not count. */
function watchWrites(engine: Engine) {
	let failure: WriteFailure | undefined;

	async function watch<Result>(write: () => Promise<Result>): Promise<Result> {
		try {
			const result = await write();
			failure = undefined;
			return result;
		} catch (error) {
			if (!isBusy(error) && error instanceof StoreFailure) {
				const reason = toReason(error.cause ?? error);
				failure = { since: failure?.since ?? Date.now(), reason };
			}
			throw error;
		}
	}

	const watched: Engine = {
		...engine,
		write: (work, since) => watch(() => engine.write(work, since)),
		writeLong: (work) => watch(() => engine.writeLong(work)),
	};
	return { watched, findWriteFailure: () => failure };
}

/** The store of an engine. */
export function toStore(given: Engine, keepsHistory: boolean) {
	const { watched: engine, findWriteFailure } = watchWrites(given);
	const keys = openKeys(engine);
	const archive = openArchive(engine);
	const writePlanned = openPlannedWrites(engine, archive.read);
	return {
		catalogue: openCatalogue(engine, writePlanned, keepsHistory),
		feed: openFeed(engine),
		history: openHistory(engine),
		edits: openEdits(engine, writePlanned, keepsHistory),
		categories: openCategories(engine),
		keys,
		sessions: openSessions(engine, keys.find),
		backups: openBackups(engine),
		imports: openImports(archive, writePlanned, keepsHistory),
		/** The caller must close it. */
		openSnapshot: (filter: PetFilter) => openPetSnapshot(engine, filter),
		archive,
		...openCleanUp(engine),
		/** Looks for damage. */
		check: (): Promise<Checked> =>
			archive.read(() => checkRows(engine)).catch(toUnreadable),
		describe: engine.describe,
		/** Of this process; undefined if the last write succeeded. */
		findWriteFailure,
		/** Resolves if requests can be answered now. */
		ping: engine.ping,
		close: engine.close,
	};
}
