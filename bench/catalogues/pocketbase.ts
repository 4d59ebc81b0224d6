// Catalogues in folders of PocketBase, which creates its own tables.
import { Database } from "bun:sqlite";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { root } from "../../test/harness/process.ts";
import { temporaryFolder } from "../../test/harness/temporary.ts";
import { program } from "../peers/pocketbase/install.ts";
import { type Catalogues, columns, numbers } from "./catalogue.ts";

/** Every catalogue is a copy, because PocketBase logs requests into its folder. */
export function openPocketBaseCatalogues(): Catalogues {
	const folder = temporaryFolder();
	const made = new Set<string>();
	let copies = 0;
	return {
		async prepare(animals) {
			const original = `${folder.path}/${animals}`;
			if (!made.has(original)) fill(original, folder.path, animals);
			made.add(original);
			const location = `${folder.path}/copy-${copies++}`;
			execFileSync("cp", ["-r", original, location]);
			return {
				location,
				removeCopy: async () => rmSync(location, { recursive: true }),
			};
		},
		bytesPerAnimal: async () => Number.NaN,
		close: async () => folder.remove(),
	};
}

function fill(location: string, temporary: string, animals: number): void {
	const migrations = `${temporary}/migrations`;
	execFileSync("mkdir", ["-p", migrations]);
	execFileSync("cp", [
		`${root}bench/peers/pocketbase/migration.js`,
		`${migrations}/1_pets.js`,
	]);
	execFileSync(
		program,
		["migrate", "up", "--dir", location, "--migrationsDir", migrations],
		{ stdio: ["ignore", "ignore", 2] },
	);
	const db = new Database(`${location}/data.db`);
	db.run(
		`WITH RECURSIVE ${numbers}, animals (id, name, category, status) AS (SELECT ${columns} FROM numbers)
		INSERT INTO pets (id, name, categoryId, status)
		SELECT printf('%015d', id), name, category, status FROM animals`,
		[animals],
	);
	db.close();
}
