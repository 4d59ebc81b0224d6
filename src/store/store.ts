// The store for a database URL: its parts are the same for both engines. An engine is loaded only if it is used.
// Times are milliseconds since 1970. When the engine cannot answer, a method fails with `unavailable`.
import type { PetFilter } from "../domain/filter.ts";
import { openBackups } from "./backups.ts";
import { openCatalogue } from "./catalogue.ts";
import { openCategories } from "./categories.ts";
import { type Checked, checkRows, toUnreadable } from "./check.ts";
import { openCleanUp } from "./clean-up.ts";
import { readDatabaseUrl } from "./database-url.ts";
import { openEdits } from "./edits.ts";
import type { Access, Engine } from "./engine.ts";
import { openFeed } from "./feed.ts";
import { openHistory } from "./history.ts";
import { openImports } from "./import.ts";
import { openKeys } from "./keys.ts";
import { openPetSnapshot } from "./search.ts";
import { openSessions } from "./sessions.ts";
import { openArchive } from "./transfer.ts";

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

/** The store of an engine. */
export function toStore(engine: Engine, keepsHistory: boolean) {
	const keys = openKeys(engine);
	const archive = openArchive(engine);
	return {
		catalogue: openCatalogue(engine, keepsHistory),
		feed: openFeed(engine),
		history: openHistory(engine),
		edits: openEdits(engine, keepsHistory),
		categories: openCategories(engine),
		keys,
		sessions: openSessions(engine, keys.find),
		backups: openBackups(engine),
		imports: openImports(archive, keepsHistory),
		/** The caller must close it. */
		openSnapshot: (filter: PetFilter) => openPetSnapshot(engine, filter),
		archive,
		...openCleanUp(engine),
		/** Looks for damage. */
		check: (): Promise<Checked> =>
			archive.read(() => checkRows(engine.findDamage)).catch(toUnreadable),
		describe: engine.describe,
		/** Resolves if requests can be answered now. */
		ping: engine.ping,
		close: engine.close,
	};
}
