// The animals in PostgreSQL. Callers that wait at the same time share a query.
import { petNames, type StoredPet } from "../../../domain/pet.ts";
import type { EngineRow } from "../../archive/tables.ts";
import type {
	Addition,
	Catalogue,
	CategoryCount,
	CountRange,
	FoundPet,
	Page,
	PetCount,
} from "../../catalogue.ts";
import { changeInTurn, createBatch } from "../../queue/batch.ts";
import { createPageCache } from "../../queue/page-cache.ts";
import {
	categoryCountColumns,
	foundPetColumns,
	petColumns,
	toCategoryCount,
	toFoundPet,
	toInt64,
	toPets,
} from "../../rows.ts";
import type { StoreReader } from "../../store.ts";
import {
	type Database,
	type Queryable,
	query,
	toStatements,
	withAnswerTimeout,
} from "../database.ts";
import { addPets } from "./adds.ts";
import { changePets } from "./changes.ts";
import { toFilteredQuery } from "./filter.ts";
import { createPageReads } from "./page-reads.ts";

export function openCatalogue(db: Database, keepsHistory: boolean): Catalogue {
	const toPets = reusePages();
	// Batches and page reads have a timeout too, so that an unanswered one does not block the next.
	const listPets = createPageReads(async (page) =>
		toPets(page, await withAnswerTimeout(list(db, page))),
	);
	const getPet = createBatch((ids: readonly bigint[]) =>
		withAnswerTimeout(getPets(db, ids)),
	);
	const addPet = createBatch((additions: readonly Addition[]) =>
		withAnswerTimeout(addPets(db, additions)),
	);
	const changePetsInTurn = changeInTurn((changes, authored) =>
		withAnswerTimeout(
			changePets(db, changes, keepsHistory ? authored : undefined),
		),
	);

	return {
		...readCatalogue(db),

		listPets: (page) => withAnswerTimeout(listPets(page)),

		getPet: (id) => withAnswerTimeout(getPet(id)),

		addPet: (addition) => withAnswerTimeout(addPet(addition)),

		changePets: (...call) => withAnswerTimeout(changePetsInTurn(...call)),
	};
}

/** The same reads for commands, which have one caller. */
export function readCatalogue(db: Queryable): StoreReader["catalogue"] {
	return {
		listPets: async (page) => toPets(await withAnswerTimeout(list(db, page))),
		getPet: async (id) => (await withAnswerTimeout(getPets(db, [id])))[0],
		countPets: (range) => withAnswerTimeout(countPets(db, range)),
		countCategories: (range) => withAnswerTimeout(countCategories(db, range)),
	};
}

/** Converts the rows of a page. Unchanged rows give the same array, which is then not encoded again. */
function reusePages() {
	const pages = createPageCache<{
		readonly rows: readonly EngineRow[];
		readonly pets: readonly StoredPet[];
	}>();
	return (page: Page, rows: readonly EngineRow[]): readonly StoredPet[] => {
		const cached = pages.get(page);
		if (
			cached?.rows.length === rows.length &&
			cached.rows.every((row, index) => isEqual(row, rows[index]))
		)
			return cached.pets;
		const pets = toPets(rows);
		pages.set(page, { rows, pets });
		return pets;
	};
}

function isEqual(row: EngineRow, other: EngineRow | undefined): boolean {
	return petNames.every((name) => row[name] === other?.[name]);
}

function list(db: Queryable, page: Page): Promise<EngineRow[]> {
	return listNewest(db, [page.maxId, page.limit], page);
}

async function getPets(
	db: Queryable,
	ids: readonly bigint[],
): Promise<(FoundPet | undefined)[]> {
	const rows = await query<EngineRow>(db, statements.getPets, [ids]);
	const found = new Map(rows.map((row) => [toInt64(row.id), toFoundPet(row)]));
	return ids.map((id) => found.get(id));
}

async function countPets(db: Queryable, range: CountRange): Promise<PetCount> {
	const [row] = await count(db, [range.afterId, range.limit], range);
	const lastId = row?.lastId ? BigInt(row.lastId) : undefined;
	return { count: Number(row?.count ?? 0), lastId };
}

async function countCategories(
	db: Queryable,
	range: CountRange,
): Promise<CategoryCount> {
	const { afterId, limit } = range;
	return toCategoryCount(await categories(db, [afterId, limit], range));
}

const listNewest = toFilteredQuery<EngineRow>(
	"listPets",
	(where) =>
		`SELECT ${petColumns} FROM petstore.pets ${where} id <= $1 ORDER BY id DESC LIMIT $2`,
);

const count = toFilteredQuery<{ count: string; lastId: string | null }>(
	"countPets",
	(where) => `SELECT count(*) AS count, max(id) AS "lastId" FROM (
		SELECT id FROM petstore.pets ${where} id > $1 ORDER BY id LIMIT $2) AS counted`,
);

const categories = toFilteredQuery<EngineRow>(
	"countCategories",
	(where) => `SELECT ${categoryCountColumns} FROM (
		SELECT id, category_id FROM petstore.pets ${where} id > $1 ORDER BY id LIMIT $2) AS counted GROUP BY category_id`,
);

const statements = toStatements({
	getPets: `SELECT ${foundPetColumns} FROM petstore.pets WHERE id = ANY ($1::int8[])`,
});
