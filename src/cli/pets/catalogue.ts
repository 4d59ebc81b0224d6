// Opens the catalogue of a database for one command.
import type { Catalogue } from "../../store/catalogue.ts";
import { openStore, openStoreReader } from "../../store/open.ts";
import type { StoreReader } from "../../store/store.ts";
import type { DatabaseFlags } from "../options.ts";

/** To read only. */
export async function readCatalogue<Result>(
	{ database }: DatabaseFlags,
	read: (catalogue: StoreReader["catalogue"]) => Promise<Result>,
): Promise<Result> {
	const { catalogue, close } = await openStoreReader(database);
	return read(catalogue).finally(close);
}

/** To change it. */
export async function useCatalogue<Result>(
	{ database }: DatabaseFlags,
	/** Whether to create a database that is not there yet. */
	options: { create: boolean },
	use: (catalogue: Catalogue) => Promise<Result>,
): Promise<Result> {
	const { catalogue, close } = await openStore(database, options);
	return use(catalogue).finally(close);
}
