// All catalogues of a run, opened together and closed together.
import type { Catalogues } from "./catalogues/catalogue.ts";
import { openJsonCatalogues } from "./catalogues/json.ts";
import { openPostgresCatalogues } from "./catalogues/postgres.ts";
import { openSqliteCatalogues } from "./catalogues/sqlite.ts";
import type { Section } from "./plan.ts";
import { createRecorder, type Recorder } from "./record.ts";
import { toCount } from "./tables.ts";
import { type Target, targets } from "./targets.ts";

export interface Shelf {
	readonly catalogues: Readonly<Record<Target["catalogue"], Catalogues>>;
	readonly record: Recorder;
	/** Engine, number of animals, bytes for each of them, at the largest size that the sections have. */
	readonly measureSpace: (sections: readonly Section[]) => Promise<string[][]>;
	readonly close: () => Promise<void>;
}

export function openShelf(): Shelf {
	const sqlite = openSqliteCatalogues();
	const postgres = openPostgresCatalogues();
	const json = openJsonCatalogues(sqlite);
	const [embedded] = targets;
	const catalogues = { sqlite, postgres, json, none };
	return {
		catalogues,
		record: createRecorder(embedded, sqlite),
		async measureSpace(sections) {
			const rows: string[][] = [];
			for (const { name, catalogue } of targets.slice(0, 2)) {
				const own = sections.filter(({ targets }) => targets.includes(name));
				const animals = Math.max(0, ...own.flatMap(({ animals }) => animals));
				if (animals === 0) continue;
				const bytes = await catalogues[catalogue].bytesPerAnimal(animals);
				rows.push([name, toCount(animals), bytes.toFixed(1)]);
			}
			return rows;
		},
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
