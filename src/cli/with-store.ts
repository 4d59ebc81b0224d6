// Opens the database for one command, and closes it after that.
import { type DatabaseUrl, isMissing } from "../store/database/database-url.ts";
import { openStore, type Store, type StoreOptions } from "../store/store.ts";
import { say } from "./terminal/print.ts";

export async function withStore<Result>(
	database: DatabaseUrl,
	access: StoreOptions["access"],
	use: (store: Store) => Promise<Result>,
): Promise<Result> {
	const isNew = isMissing(database);
	const store = await openStore(database.text, { access });
	const result = await use(store).finally(store.close);
	if (isNew) say("Created a new database.");
	return result;
}
