// Opens the database for one command, and closes it after that.
import { OperatorError, StoreFailure } from "../domain/errors.ts";
import { type DatabaseUrl, isMissing } from "../store/database-url.ts";
import { openStore, openStoreReader } from "../store/open.ts";
import type { Store, StoreReader } from "../store/store.ts";
import { say } from "./terminal/print.ts";

export interface DatabaseFlags {
	readonly database: DatabaseUrl;
}

/** To change its content. `create` makes a missing database. */
export async function withStore<Result>(
	{ database }: DatabaseFlags,
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
	{ database }: DatabaseFlags,
	read: (store: StoreReader) => Promise<Result>,
): Promise<Result> {
	const store = await openStoreReader(database.text);
	return read(store).finally(store.close);
}

/** Explains a failure of the database. `done` is what may have happened, like "the animal was changed"; `next` is what to do then. */
export function explainFailure(
	done: string,
	next = "run the command again",
): (error: unknown) => never {
	return (error) => {
		if (!(error instanceof StoreFailure)) throw error;
		const { cause, wroteNothing } = error;
		const reason = cause instanceof Error ? ` (${cause.message})` : "";
		throw new OperatorError(
			wroteNothing
				? `The database cannot answer now, and nothing was changed${reason}; run the command again.`
				: `It is not known whether ${done}${reason}; ${next}.`,
		);
	};
}
