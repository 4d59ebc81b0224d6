// Catalogues in JSON files, as json-server wants them.
import { Database } from "bun:sqlite";
import { rmSync, writeFileSync } from "node:fs";
import { temporaryFolder } from "../../harness/temporary.ts";
import type { Catalogues } from "./catalogue.ts";

/** With the animals of the SQLite files. Every loan is a copy, since the file is small. */
export function openJsonCatalogues(sqlite: Catalogues): Catalogues {
	const folder = temporaryFolder();
	let copies = 0;
	return {
		async lend(animals) {
			const { place: source } = await sqlite.lend(animals, false);
			const place = `${folder.path}/${copies++}.json`;
			writeFileSync(place, toJson(source));
			return { place, giveBack: async () => rmSync(place) };
		},
		bytesPerAnimal: async () => Number.NaN,
		close: async () => folder.remove(),
	};
}

function toJson(path: string): string {
	const db = new Database(path, { readonly: true });
	const pets = db
		.query("SELECT id, name, category_id AS categoryId, status FROM pets")
		.all();
	db.close();
	return JSON.stringify({ pets }, null, 2);
}
