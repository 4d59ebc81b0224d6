// Opens the database for one command, and closes it after that.
import { type DatabaseUrl, isMissing } from "../store/database-url.ts";
import { openStore, openStoreReader } from "../store/open.ts";
import type { Store, StoreReader } from "../store/store.ts";
import { say } from "./terminal/print.ts";

/** To change its content. `create` makes a missing database. */
export async function withStore<Result>(
	database: DatabaseUrl,
	use: (store: Store) => Promise<Result>,
	{ create } = { create: false },
): Promise<Result> {
	const isNew = isMissing(database);
	const store = await openStore(database.text, { create });
	const result = await use(store).finally(store.close);
	if (isNew) say("Created a new database.");
	if (database.isInMemory) say("In-memory database discarded on exit.");
	return result;
}

/** To read only. */
export async function withStoreReader<Result>(
	database: DatabaseUrl,
	read: (store: StoreReader) => Promise<Result>,
): Promise<Result> {
	const store = await openStoreReader(database.text);
	return read(store).finally(store.close);
}
