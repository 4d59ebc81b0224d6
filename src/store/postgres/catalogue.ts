// The animals in PostgreSQL. Callers that wait at the same time share a query.
import type { QueryResultRow } from "pg";
import type { Only } from "../../contract/only.ts";
import type { StoredPet } from "../../contract/pet.ts";
import { postgresCleanUpRows } from "../../limits.ts";
import { createBatch } from "../batch.ts";
import {
	type Addition,
	type Catalogue,
	type CountRange,
	type FoundPet,
	type Page,
	type PetCount,
	toAddition,
} from "../catalogue.ts";
import { changeInTurn } from "../change-in-turn.ts";
import {
	areShort,
	type ListedPets,
	petBytes,
	type ShortRow,
} from "../long-page.ts";
import type { StoreReader } from "../store.ts";
import { addPets } from "./adds.ts";
import { changePets } from "./changes.ts";
import {
	type Database,
	type Queryable,
	query,
	type Statement,
	toStatements,
	withAnswerTimeout,
} from "./database.ts";
import { reusePages } from "./page-cache.ts";
import { createPageReads } from "./page-reads.ts";
import {
	type FoundPetRow,
	foundPetColumns,
	type PetRow,
	petColumns,
	shortPetColumns,
	toFoundPet,
	toPet,
} from "./rows.ts";

export function openCatalogue(
	db: Database,
	onBatch?: (size: number) => void,
): Catalogue {
	const toPets = reusePages();
	// A batch has a timeout too, so that one that is never answered does not keep the next from starting. So has the read of a page.
	const listLongPets = createPageReads((page) =>
		withAnswerTimeout(listAll(db, page).then((rows) => toPets(page, rows))),
	);
	const listPets = createPageReads((page) =>
		withAnswerTimeout(listPage(db, page, toPets, listLongPets)),
	);
	const getPet = createBatch((ids: readonly bigint[]) =>
		withAnswerTimeout(getPets(db, ids)),
	);
	const addPet = createBatch(
		(additions: readonly Addition[]) =>
			withAnswerTimeout(addPets(db, additions)),
		{ onBatch },
	);
	const changePetsInTurn = changeInTurn((changes) =>
		withAnswerTimeout(changePets(db, changes)),
	);

	return {
		listPets: (page) => withAnswerTimeout(listPets(page)),

		getPet: (id) => withAnswerTimeout(getPet(id)),

		addPet: (...addition) => withAnswerTimeout(addPet(toAddition(...addition))),

		changePets: (changes) => withAnswerTimeout(changePetsInTurn(changes)),

		countPets: (range) => withAnswerTimeout(countPets(db, range)),

		async deleteIdempotencyKeys(usedBefore) {
			// In slices, so that no transaction is long.
			for (;;) {
				const deleted = await query(
					db.writes,
					statements.deleteIdempotencyKeys,
					[usedBefore, postgresCleanUpRows],
				);
				if (deleted.length < postgresCleanUpRows) return;
			}
		},
	};
}

/** The same reads for commands, which have one caller. */
export function readCatalogue(db: Queryable): StoreReader["catalogue"] {
	return {
		listPets: async (page) =>
			(await withAnswerTimeout(listAll(db, page))).map(toPet),
		getPet: async (id) => (await withAnswerTimeout(getPets(db, [id])))[0],
		countPets: (range) => withAnswerTimeout(countPets(db, range)),
	};
}

async function listPage(
	db: Queryable,
	page: Page,
	toPets: ReturnType<typeof reusePages>,
	listLongPets: (page: Page) => Promise<readonly StoredPet[]>,
): Promise<ListedPets> {
	const rows = await list<ShortRow<PetRow>>(db, page, statements.listShort);
	if (areShort<PetRow>(rows)) return toPets(page, rows);
	const measured = await list<{ bytes: string }>(db, page, statements.measure);
	return {
		bytes: Number(measured[0]?.bytes),
		read: () => withAnswerTimeout(listLongPets(page)),
	};
}

function listAll(db: Queryable, page: Page): Promise<PetRow[]> {
	return list(db, page, statements.listAll);
}

function list<Row extends QueryResultRow>(
	db: Queryable,
	{ limit, maxId, status }: Only<Page, "limit" | "maxId" | "status">,
	{ ofAll, ofStatus }: ListStatements,
): Promise<Row[]> {
	return status === undefined
		? query<Row>(db, ofAll, [maxId, limit])
		: query<Row>(db, ofStatus, [maxId, limit, status]);
}

async function getPets(
	db: Queryable,
	ids: readonly bigint[],
): Promise<(FoundPet | undefined)[]> {
	const rows = await query<FoundPetRow>(db, statements.getPets, [ids]);
	const found = new Map(rows.map((row) => [row.id, toFoundPet(row)]));
	return ids.map((id) => found.get(String(id)));
}

async function countPets(
	db: Queryable,
	{ status, afterId, limit }: CountRange,
): Promise<PetCount> {
	const [row] = await query<{ count: string; lastId: string | null }>(
		db,
		statements.countPets,
		[status, afterId, limit],
	);
	const { count = 0, lastId = null } = row ?? {};
	return {
		count: Number(count),
		lastId: lastId === null ? undefined : BigInt(lastId),
	};
}

interface ListStatements {
	readonly ofAll: Statement;
	readonly ofStatus: Statement;
}

function toLists(name: string, columns: string): ListStatements {
	const toText = (condition: string) =>
		`SELECT ${columns} FROM petstore.pets WHERE ${condition} id <= $1 ORDER BY id DESC LIMIT $2`;
	return {
		ofAll: { name, text: toText("") },
		ofStatus: { name: `${name}ByStatus`, text: toText("status = $3 AND") },
	};
}

const statements = {
	listShort: toLists("listPets", shortPetColumns),
	listAll: toLists("listLongPets", petColumns),
	measure: toMeasures(toLists("measurePets", "name")),
	...toStatements({
		getPets: `SELECT ${foundPetColumns} FROM petstore.pets WHERE id = ANY ($1::int8[])`,
		countPets: `SELECT count(*) AS count, max(id) AS "lastId" FROM (
			SELECT id FROM petstore.pets WHERE status = $1 AND id > $2 ORDER BY id LIMIT $3) AS counted`,
		deleteIdempotencyKeys: `DELETE FROM petstore.idempotency_keys WHERE (owner, key) IN
			(SELECT owner, key FROM petstore.idempotency_keys WHERE used_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
			RETURNING 1`,
	}),
};

function toMeasures({ ofAll, ofStatus }: ListStatements): ListStatements {
	const toMeasure = ({ text, ...statement }: Statement) => ({
		...statement,
		text: `SELECT sum(${petBytes("octet_length(name)", "least")}) AS bytes FROM (${text}) AS page`,
	});
	return { ofAll: toMeasure(ofAll), ofStatus: toMeasure(ofStatus) };
}
