// Catalogues in SQLite files with the service's own schema.
import { Database } from "bun:sqlite";
import { execFileSync } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { openStore } from "../../src/store/open.ts";
import { temporaryFolder } from "../../test/harness/temporary.ts";
import { addKeys, type Catalogues, columns, numbers } from "./catalogue.ts";

export function openSqliteCatalogues(): Catalogues {
	const folder = temporaryFolder();
	const made = new Set<number>();
	let copies = 0;

	const make = async (animals: number) => {
		const path = `${folder.path}/${animals}.db`;
		if (!made.has(animals)) await fill(path, animals);
		made.add(animals);
		return path;
	};
	return {
		async prepare(animals, isCopy) {
			const original = await make(animals);
			if (!isCopy) return { location: original, removeCopy: async () => {} };
			const location = `${folder.path}/copy-${copies++}.db`;
			execFileSync("cp", ["--reflink=auto", original, location]);
			return { location, removeCopy: async () => removeDatabase(location) };
		},
		async bytesPerAnimal(animals) {
			return statSync(await make(animals)).size / animals;
		},
		async close() {
			folder.remove();
		},
	};
}

async function fill(path: string, animals: number): Promise<void> {
	const store = await openStore(`sqlite:${path}`, { create: true });
	await addKeys(store.keys);
	await store.close();
	const db = new Database(path);
	// Without a journal and syncs it takes less time. No other process reads the file yet, and an incomplete file is discarded.
	db.run("PRAGMA journal_mode = OFF");
	db.run("PRAGMA synchronous = OFF");
	db.run("PRAGMA cache_size = -200000");
	db.run(
		`WITH RECURSIVE ${numbers}
		INSERT INTO pets (id, name, category_id, status) SELECT ${columns} FROM numbers`,
		[animals],
	);
	db.run("PRAGMA journal_mode = WAL");
	db.close();
}

function removeDatabase(path: string): void {
	for (const suffix of ["", "-wal", "-shm"])
		rmSync(path + suffix, { force: true });
}
