// Opens the database for one command, and closes it after that.
import { type DatabaseUrl, isMissing } from "../store/database-url.ts";
import { openStore, openStoreReader } from "../store/open.ts";
import type { Migration, Store, StoreReader } from "../store/store.ts";
import { say } from "./terminal/print.ts";

export interface DatabaseFlags {
	readonly database: DatabaseUrl;
}

/** To change what is in it. */
export async function withStore<Result>(
	{ database }: DatabaseFlags,
	/** Whether to create a database that is not there yet. */
	options: { create: boolean },
	use: (store: Store) => Promise<Result>,
): Promise<Result> {
	const store = await openStore(database.text, {
		...options,
		onMigration: sayMigration,
	});
	return use(store).finally(store.close);
}

export function sayMigration({ from, to, ms }: Migration): void {
	say(`The database was migrated from schema ${from} to ${to} in ${ms} ms.`);
}

/** To read only. */
export async function withStoreReader<Result>(
	{ database }: DatabaseFlags,
	read: (store: StoreReader) => Promise<Result>,
): Promise<Result> {
	const store = await openStoreReader(database.text);
	return read(store).finally(store.close);
}

/** Must be called before the database is opened. What it returns says whether that has created it, and whether it stays. */
export function watchCreation({ database }: DatabaseFlags): () => void {
	const isNew = isMissing(database);
	return () => {
		if (isNew) say("There was no database, so a new one was made.");
		if (database.isInMemory)
			say("It is gone already: a database in memory ends with its process.");
	};
}
