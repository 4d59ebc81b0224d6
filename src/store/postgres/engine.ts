// PostgreSQL, for several machines.
import { createBatch } from "../batch.ts";
import type { OnMigration } from "../migration.ts";
import type { Store } from "../store.ts";
import { openArchive } from "./archive/archive.ts";
import { openCatalogue } from "./catalogue.ts";
import { openDatabase, withAnswerTimeout } from "./database.ts";
import { describeDatabase } from "./description.ts";
import { openExports } from "./export.ts";
import { openFeed } from "./feed.ts";
import { openImports } from "./import.ts";
import { openKeys } from "./keys.ts";
import { ping } from "./ping.ts";
import { openSessions } from "./sessions.ts";
import { openUsage } from "./usage.ts";

/** Without `create`, our schema must be there. */
export async function openPostgres(
	url: string,
	options: {
		create: boolean;
		poolSize: number;
		/** Called with the number of adds in each batch. */
		onAddBatch?: ((size: number) => void) | undefined;
		onMigration?: OnMigration;
	},
): Promise<Store> {
	const db = await openDatabase(url, options);
	const batchedPing = createBatch((pings: readonly true[]) =>
		withAnswerTimeout(ping(db).then(() => pings)),
	);
	const keys = openKeys(db);
	return {
		catalogue: openCatalogue(db, options.onAddBatch),
		keys,
		sessions: openSessions(db, keys),
		usage: openUsage(db),
		feed: openFeed(db),
		archive: openArchive(url),
		imports: openImports(url),
		exports: openExports(url),
		describe: () => withAnswerTimeout(describeDatabase(db)),
		async ping() {
			await withAnswerTimeout(batchedPing(true));
		},
		// A connection that is lost is noticed by the next query.
		close: db.close,
	};
}
