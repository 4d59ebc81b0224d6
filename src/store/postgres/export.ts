// Reads all animals of a PostgreSQL database as they are at one moment, in one snapshot.
import type { ClientBase } from "pg";
import { storeWroteNothing } from "../../contract/errors.ts";
import { maxExportLength } from "../../limits.ts";
import type {
	ExportFilter,
	ExportPage,
	Exports,
	PetSnapshot,
} from "../export.ts";
import { openLongConnection } from "./connection.ts";
import { type Queryable, query } from "./database.ts";
import { readLastId } from "./epoch.ts";
import { beginSnapshot } from "./older-schema.ts";
import { type PetRow, petColumns, toPet } from "./rows.ts";

export function openExports(url: string): Exports {
	return {
		async open(filter) {
			const client = await openLongConnection(url, "read").catch(cannotConnect);
			try {
				return await openSnapshot(client, filter, () => client.end());
			} catch (error) {
				await client.end();
				throw error;
			}
		},
	};
}

function cannotConnect(error: unknown): never {
	throw storeWroteNothing(error);
}

async function openSnapshot(
	client: ClientBase,
	filter: ExportFilter,
	close: () => Promise<void>,
): Promise<PetSnapshot> {
	const db = await beginSnapshot(client);
	const lastId = await readLastId(db);
	let after = 0n;
	return {
		lastId,
		async next(rows) {
			const page = await readPage(db, after, rows, filter);
			after = page?.lastId ?? after;
			return page;
		},
		// A snapshot only keeps PostgreSQL from removing old rows.
		isInTheWay: () => false,
		close,
	};
}

/** The category is compared here and not in SQL, which would look at any number of animals to find one. */
async function readPage(
	db: Queryable,
	after: bigint,
	rows: number,
	{ status, categoryId }: ExportFilter,
): Promise<ExportPage | undefined> {
	const found = await query<PetRow>(db, statement, [
		after,
		rows,
		status ?? null,
	]);
	const pets = found.map(toPet);
	const lastId = pets.at(-1)?.id;
	if (lastId === undefined) return undefined;
	return {
		pets:
			categoryId === undefined
				? pets
				: pets.filter((pet) => pet.categoryId === categoryId),
		lastId,
	};
}

/** Stops before the names take too much memory, but gives at least one animal. */
const statement = {
	name: "exportPets",
	text: `SELECT ${petColumns} FROM (
			SELECT *, sum(octet_length(name)) OVER (ORDER BY id) - octet_length(name) AS before FROM (
				SELECT * FROM petstore.pets WHERE id > $1 AND ($3::text IS NULL OR status = $3) ORDER BY id LIMIT $2
			) AS page
		) AS measured WHERE before < ${maxExportLength} ORDER BY id`,
};
