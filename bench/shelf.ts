// All catalogues of a run, opened together and closed together.
import type { Catalogues } from "./catalogues/catalogue.ts";
import { openJsonCatalogues } from "./catalogues/json.ts";
import { openPostgresCatalogues } from "./catalogues/postgres.ts";
import { openSqliteCatalogues } from "./catalogues/sqlite.ts";
import { createRecorder, type Recorder } from "./record.ts";
import { type Target, targets } from "./targets.ts";

export interface Shelf {
	readonly catalogues: Readonly<Record<Target["catalogue"], Catalogues>>;
	readonly record: Recorder;
	readonly close: () => Promise<void>;
}

export function openShelf(): Shelf {
	const sqlite = openSqliteCatalogues();
	const postgres = openPostgresCatalogues();
	const json = openJsonCatalogues(sqlite);
	const [embedded] = targets;
	return {
		catalogues: { sqlite, postgres, json, none },
		record: createRecorder(embedded, sqlite),
		async close() {
			for (const one of [json, postgres, sqlite]) await one.close();
		},
	};
}

/** For those that keep nothing. */
const none: Catalogues = {
	lend: async () => ({ place: "", giveBack: async () => {} }),
	bytesPerAnimal: async () => 0,
	close: async () => {},
};
