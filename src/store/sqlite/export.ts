// Reads all animals of a SQLite database as they are at one moment, in one read transaction.
import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import type { StoredPet } from "../../contract/pet.ts";
import { maxExportLength, maxExportWalBytes } from "../../limits.ts";
import type {
	ExportFilter,
	ExportPage,
	Exports,
	PetSnapshot,
} from "../export.ts";
import { connect, connectionOptions, retryWhileBusy } from "./database.ts";
import { readLastId } from "./epoch.ts";
import { memory, toNames } from "./file-names.ts";
import { petColumns } from "./rows.ts";
import { toIndexHint } from "./schema.ts";

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
	filter: ExportFilter,
	close: () => void,
): Promise<PetSnapshot> {
	const page = db.prepare<StoredPet, [bigint, number]>(toQuery(db, filter));
	let after = 0n;
	const walBytes = readWalBytes(path);
	return {
		lastId: await retryWhileBusy(() => beginAt(db)),
		async next(rows) {
			const found = readPage(page, after, rows, filter);
			after = found?.lastId ?? after;
			return found;
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

function toQuery(db: Database, { status }: ExportFilter): string {
	const condition =
		status === undefined
			? "WHERE"
			: `${toIndexHint(db, status)} WHERE status = '${status}' AND`;
	return `SELECT ${petColumns} FROM pets ${condition} id > ? ORDER BY id LIMIT ?`;
}

/** The category is compared here and not in SQL, which would look at any number of animals to find one. */
function readPage(
	page: ReturnType<
		typeof Database.prototype.prepare<StoredPet, [bigint, number]>
	>,
	after: bigint,
	rows: number,
	{ categoryId }: ExportFilter,
): ExportPage | undefined {
	const pets: StoredPet[] = [];
	let lastId: bigint | undefined;
	let length = 0;
	for (const pet of page.iterate(after, rows)) {
		lastId = pet.id;
		if (categoryId !== undefined && pet.categoryId !== categoryId) continue;
		pets.push(pet);
		length += pet.name.length;
		if (length >= maxExportLength) break;
	}
	return lastId === undefined ? undefined : { pets, lastId };
}

function readWalBytes(path: string): number {
	if (path === memory) return 0;
	return statSync(toNames(path).wal, { throwIfNoEntry: false })?.size ?? 0;
}
