// The data of a run: the catalogues in every kind of storage, and the recorded replies. It is made when first needed.
import type { Catalogues } from "../catalogues/catalogue.ts";
import { openJsonCatalogues } from "../catalogues/json.ts";
import { openPocketBaseCatalogues } from "../catalogues/pocketbase.ts";
import { openPostgresCatalogues } from "../catalogues/postgres.ts";
import { openSqliteCatalogues } from "../catalogues/sqlite.ts";
import type { Section } from "../plan/sections.ts";
import type { Target } from "../plan/target.ts";
import { targets } from "../plan/targets.ts";
import { createRecorder, type Recorder } from "./record.ts";
import type { DiskSpace } from "./results.ts";

export interface Datasets {
	readonly catalogues: Readonly<Record<Target["storage"], Catalogues>>;
	readonly record: Recorder;
	/** Measures each engine of the service at the largest size in the sections. */
	readonly measureDiskSpace: (
		sections: readonly Section[],
	) => Promise<DiskSpace[]>;
	readonly close: () => Promise<void>;
}

export function openDatasets(): Datasets {
	const sqlite = openSqliteCatalogues();
	const postgres = openPostgresCatalogues();
	const json = openJsonCatalogues(sqlite);
	const pocketbase = openPocketBaseCatalogues();
	const catalogues = { sqlite, postgres, json, pocketbase, none };
	const [embedded, onPostgres] = targets;
	return {
		catalogues,
		record: createRecorder(embedded, sqlite),
		async measureDiskSpace(sections) {
			const measured: DiskSpace[] = [];
			for (const { name, storage } of [embedded, onPostgres]) {
				const own = sections.filter(({ targets }) => targets.includes(name));
				const animals = Math.max(0, ...own.flatMap(({ animals }) => animals));
				if (animals === 0) continue;
				const bytesPerAnimal =
					await catalogues[storage].bytesPerAnimal(animals);
				measured.push({ target: name, animals, bytesPerAnimal });
			}
			return measured;
		},
		async close() {
			for (const one of [pocketbase, json, postgres, sqlite]) await one.close();
		},
	};
}

/** For targets that store nothing. */
const none: Catalogues = {
	prepare: async () => ({ location: "", removeCopy: async () => {} }),
	bytesPerAnimal: async () => 0,
	close: async () => {},
};
