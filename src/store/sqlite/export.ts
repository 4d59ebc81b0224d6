// Reads all animals of a SQLite database as they are at one moment, in one read transaction.
import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { type PetFilter, toPetTest } from "../../contract/filter.ts";
import type { StoredPet } from "../../contract/pet.ts";
import { maxExportLength, maxExportWalBytes } from "../../limits.ts";
import type { Exports, PetSnapshot } from "../export.ts";
import { connect, connectionOptions, retryWhileBusy } from "./database.ts";
import { readLastId } from "./epoch.ts";
import { memory, toNames } from "./file.ts";
import { toSource } from "./filter.ts";
import { petColumns } from "./rows.ts";

export function openExports(db: Database, path: string): Exports {
	return {
		async open(filter) {
			// A database in memory has no second connection, so a copy of it is read.
			const reader =
				path === memory
					? Database.deserialize(db.serialize(), connectionOptions)
					: connect(path);
			try {
				return await openSnapshot(reader, path, filter, () => reader.close());
			} catch (error) {
				reader.close();
				throw error;
			}
		},
	};
}

/** The snapshot begins with the first read. */
export async function openSnapshot(
	db: Database,
	path: string,
	filter: PetFilter,
	close: () => void,
): Promise<PetSnapshot> {
	const page = db.prepare<StoredPet, [bigint, number]>(
		`SELECT ${petColumns} ${toSource(db, filter)} id > ? ORDER BY id LIMIT ?`,
	);
	const fits = toPetTest(filter);
	let after = 0n;
	const walBytes = readWalBytes(path);
	return {
		lastId: await retryWhileBusy(() => beginAt(db)),
		async next(rows) {
			const before = after;
			const pets: StoredPet[] = [];
			let length = 0;
			for (const pet of page.iterate(before, rows)) {
				after = pet.id;
				if (fits?.(pet) === false) continue;
				pets.push(pet);
				length += pet.name.length;
				if (length >= maxExportLength) break;
			}
			return after === before ? undefined : { pets, lastId: after };
		},
		isInTheWay: () =>
			readWalBytes(path) > Math.max(walBytes, maxExportWalBytes),
		async close() {
			page.finalize();
			if (db.inTransaction) db.run("ROLLBACK");
			close();
		},
	};
}

/** Begins a read transaction, and returns the last id. */
function beginAt(db: Database): bigint {
	if (!db.inTransaction) db.run("BEGIN");
	return readLastId(db);
}

function readWalBytes(path: string): number {
	if (path === memory) return 0;
	return statSync(toNames(path).wal, { throwIfNoEntry: false })?.size ?? 0;
}
