// Reads all animals of a SQLite database as they are at one moment, in one read transaction.
import { Database } from "bun:sqlite";
import { type PetFilter, toPetTest } from "../../../domain/filter.ts";
import type { StoredPet } from "../../../domain/pet.ts";
import { maxExportWalBytes } from "../../../limits.ts";
import type { ArchiveSource } from "../../archive/read.ts";
import {
	type ExportPage,
	type Exports,
	exportRows,
	type PetSnapshot,
} from "../../export.ts";
import { petColumns } from "../../rows.ts";
import {
	connectAgain,
	connectionOptions,
	retryWhileBusy,
	setLockTimeout,
} from "../database.ts";
import { readEpoch, readLastId } from "../feed/epoch.ts";
import { memory, readWalBytes } from "../files/file.ts";
import type { FileGuard } from "../files/file-guard.ts";
import { toFrom } from "../requests/filter.ts";
import { toSql } from "../sql.ts";

export function openExports(
	db: Database,
	path: string,
	guard: FileGuard,
): Exports {
	return {
		async open(filter) {
			const reader = openSecond(db, path, guard);
			// The event loop must not wait for a lock.
			setLockTimeout(reader, 0);
			try {
				return await openSnapshot(reader, path, filter, () => reader.close());
			} catch (error) {
				reader.close();
				throw error;
			}
		},
	};
}

/** A database in memory has no second connection, so a copy of it is read. */
export function openSecond(
	db: Database,
	path: string,
	guard: FileGuard,
): Database {
	if (path === memory)
		return Database.deserialize(db.serialize(), connectionOptions);
	guard();
	return connectAgain(path);
}

/** The snapshot begins with the first read. */
export async function openSnapshot(
	db: Database,
	path: string,
	filter: PetFilter,
	close = () => {},
): Promise<PetSnapshot> {
	const next = preparePages(db, filter);
	const walBytes = readWalBytes(path);
	let after = 0n;
	await retryWhileBusy(() => {
		if (!db.inTransaction) db.run("BEGIN");
		readLastId(db);
	});
	return {
		async next(rows) {
			const page = await retryWhileBusy(() => next(after, rows));
			after = page?.lastId ?? after;
			return page;
		},
		mustEndSoon: () =>
			readWalBytes(path) > Math.max(walBytes, maxExportWalBytes),
		async close() {
			if (db.inTransaction) db.run("ROLLBACK");
			close();
		},
	};
}

/** Reads the animals after an id that fit the filter. */
export function preparePages(
	db: Database,
	filter: PetFilter,
): (after: bigint, rows: number) => ExportPage | undefined {
	const page = db.query<StoredPet, [bigint, number]>(
		`SELECT ${petColumns} ${toFrom(filter)} id > ? ORDER BY id LIMIT ?`,
	);
	const fits = toPetTest(filter) ?? (() => true);
	return (after, rows) => {
		const pets = page.all(after, rows);
		const lastId = pets.at(-1)?.id;
		return lastId === undefined
			? undefined
			: { pets: pets.filter(fits), lastId };
	};
}

/** SQLite as the source of an archive. */
export function toSource(db: Database): ArchiveSource {
	const next = preparePages(db, {});
	return {
		sql: toSql(db),
		readEpoch: () => readEpoch(db),
		readPets: (after) => next(after, exportRows),
	};
}
