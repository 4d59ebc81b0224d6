// Reads all animals of a PostgreSQL database as they are at one moment, in one snapshot.
import type { Client } from "pg";
import { type PetFilter, toPetTest } from "../../../domain/filter.ts";
import type { EngineRow } from "../../archive/tables.ts";
import type { ExportPage, Exports, PetSnapshot } from "../../export.ts";
import { petColumns, toPets } from "../../rows.ts";
import { openLongConnection } from "../connection.ts";
import { type Queryable, query } from "../database.ts";
import { readLastId } from "../feed/epoch.ts";
import { toFilteredQuery } from "../requests/filter.ts";

export function openExports(url: string): Exports {
	return {
		async open(filter) {
			const client = await openLongConnection(url, "read");
			try {
				return await openSnapshot(client, filter);
			} catch (error) {
				await client.end();
				throw error;
			}
		},
	};
}

async function openSnapshot(
	client: Client,
	filter: PetFilter,
): Promise<PetSnapshot> {
	await beginSnapshot(client);
	// The snapshot begins with the first read.
	await readLastId(client);
	const next = preparePages(client, filter);
	let after = 0n;
	return {
		async next(rows) {
			const page = await next(after, rows);
			after = page?.lastId ?? after;
			return page;
		},
		// A snapshot only keeps PostgreSQL from removing old rows.
		mustEndSoon: () => false,
		close: () => client.end(),
	};
}

/** Begins a transaction in which all queries see one snapshot. */
export async function beginSnapshot(client: Client): Promise<void> {
	await query(client, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
}

/** Reads the animals after an id that fit the filter. */
export function preparePages(
	db: Queryable,
	filter: PetFilter,
): (after: bigint, rows: number) => Promise<ExportPage | undefined> {
	const fits = toPetTest(filter) ?? (() => true);
	return async (after, rows) => {
		const pets = toPets(await readPage(db, [after, rows], filter));
		const lastId = pets.at(-1)?.id;
		return lastId === undefined
			? undefined
			: { pets: pets.filter(fits), lastId };
	};
}

const readPage = toFilteredQuery<EngineRow>(
	"exportPets",
	(where) =>
		`SELECT ${petColumns} FROM petstore.pets ${where} id > $1 ORDER BY id LIMIT $2`,
);
