// Catalogues in JSON files, in the format of json-server.
import { Database } from "bun:sqlite";
import { rmSync, writeFileSync } from "node:fs";
import { temporaryFolder } from "../../test/harness/temporary.ts";
import type { Catalogues } from "./catalogue.ts";

/** Reads the animals from the SQLite files. Every catalogue is a copy, because the files are small. */
export function openJsonCatalogues(sqlite: Catalogues): Catalogues {
	const folder = temporaryFolder();
	let copies = 0;
	return {
		async prepare(animals) {
			const source = await sqlite.prepare(animals, false);
			const location = `${folder.path}/${copies++}.json`;
			writeFileSync(location, toJson(source.location));
			return { location, removeCopy: async () => rmSync(location) };
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
