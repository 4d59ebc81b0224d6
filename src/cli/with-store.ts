// Opens the database for one command, and closes it after that.
import { type DatabaseUrl, isMissing } from "../store/database-url.ts";
import { openStore, type Store } from "../store/store.ts";
import { say } from "./terminal/print.ts";

/** To change its content. `create` makes a missing database. */
export async function withStore<Result>(
	database: DatabaseUrl,
	use: (store: Store) => Promise<Result>,
	{ create } = { create: false },
): Promise<Result> {
	const isNew = isMissing(database);
	const access = create ? "create" : "write";
	const store = await openStore(database.text, { access });
	const result = await use(store).finally(store.close);
	if (isNew) say("Created a new database.");
	if (database.isInMemory) say("In-memory database discarded on exit.");
	return result;
}

/** To read only. */
export async function withStoreReader<Result>(
	database: DatabaseUrl,
	read: (store: Store) => Promise<Result>,
): Promise<Result> {
	const store = await openStore(database.text, { access: "read" });
	return read(store).finally(store.close);
}
