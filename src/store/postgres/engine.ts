// PostgreSQL, for several machines.
import { storeUnavailable } from "../../domain/errors.ts";
import { keyLookupMs, postgresCleanUpRows } from "../../limits.ts";
import { toImports } from "../archive/import.ts";
import { toArchiveWrites } from "../archive/write.ts";
import { openFeed } from "../feed.ts";
import { shareCalls } from "../queue/batch.ts";
import { openSharedParts, type Store, type StoreOptions } from "../store.ts";
import { openArchiveReader, toTransact } from "./archive/archive.ts";
import { openExports } from "./archive/export.ts";
import { isReadOnlyColumn } from "./connection.ts";
import {
	type Database,
	openDatabase,
	query,
	toRequests,
	toStatements,
	withAnswerTimeout,
} from "./database.ts";
import { describeDatabase } from "./description.ts";
import { createHorizon } from "./feed/horizon.ts";
import { openCatalogue } from "./requests/catalogue.ts";
import { openKeys } from "./requests/keys.ts";

/** Without `create`, our schema must exist. */
export async function openPostgres(
	url: string,
	options: StoreOptions,
): Promise<Store> {
	const db = await openDatabase(url, options.create);
	const sharedPing = shareCalls(() => withAnswerTimeout(ping(db)));
	const requests = toRequests(db);
	const transact = toTransact(url);
	const shared = openSharedParts(requests, openKeys(db), postgresCleanUpRows);
	const feed = openFeed(
		(statement, values) => query(db, statement, [...values]),
		createHorizon(db),
	);
	const { keepsHistory = true } = options;
	return {
		...shared,
		catalogue: openCatalogue(db, keepsHistory),
		sessions: {
			...shared.sessions,
			find: (hash) =>
				withAnswerTimeout(shared.sessions.find(hash), keyLookupMs),
		},
		feed: {
			read: (asked) => withAnswerTimeout(feed.read(asked)),
			last: () => withAnswerTimeout(feed.last()),
		},
		archive: { ...openArchiveReader(url), ...toArchiveWrites(transact) },
		imports: toImports(requests.read, transact, keepsHistory),
		exports: openExports(url),
		describe: () => withAnswerTimeout(describeDatabase(db)),
		ping: () => withAnswerTimeout(sharedPing()),
		close: db.close,
	};
}

/** The tables must be readable, and the server must take writes. */
async function ping(db: Database): Promise<void> {
	const [state] = await query<{ isReadOnly: boolean }>(db, statements.ping);
	if (!state?.isReadOnly) return;
	db.reconnect();
	throw storeUnavailable(new Error("PostgreSQL is read-only"));
}

const statements = toStatements({
	ping: `SELECT ${isReadOnlyColumn}, EXISTS (SELECT FROM petstore.pets)`,
});
