// The animals in PostgreSQL. Callers that wait at the same time share a query.
import type { Only } from "../../../domain/members.ts";
import type { StoredPet } from "../../../domain/pet.ts";
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
} from "../../rows.ts";
import type { StoreReader } from "../../store.ts";
import {
	type Database,
	type Queryable,
	query,
	toStatements,
	withAnswerTimeout,
} from "../database.ts";
import { type FoundPetRow, type PetRow, toFoundPet, toPet } from "../rows.ts";
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
		listPets: async (page) =>
			(await withAnswerTimeout(list(db, page))).map(toPet),
		getPet: async (id) => (await withAnswerTimeout(getPets(db, [id])))[0],
		countPets: (range) => withAnswerTimeout(countPets(db, range)),
		countCategories: (range) => withAnswerTimeout(countCategories(db, range)),
	};
}

/** Converts the rows of a page. Unchanged rows give the same array, which is then not encoded again. */
function reusePages() {
	const pages = createPageCache<{
		readonly rows: readonly PetRow[];
		readonly pets: readonly StoredPet[];
	}>();
	return (page: Page, rows: readonly PetRow[]): readonly StoredPet[] => {
		const cached = pages.get(page);
		if (
			cached?.rows.length === rows.length &&
			cached.rows.every((row, index) => isEqual(row, rows[index]))
		)
			return cached.pets;
		const pets = rows.map(toPet);
		pages.set(page, { rows, pets });
		return pets;
	};
}

/** Compares all members: one that is forgotten here is a type error. */
function isEqual(
	row: Only<
		PetRow,
		"id" | "name" | "categoryId" | "status" | "version" | "addedAt" | "addedBy"
	>,
	other: PetRow | undefined,
): boolean {
	return (
		row.id === other?.id &&
		row.name === other.name &&
		row.categoryId === other.categoryId &&
		row.status === other.status &&
		row.version === other.version &&
		row.addedAt === other.addedAt &&
		row.addedBy === other.addedBy
	);
}

function list(db: Queryable, page: Page): Promise<PetRow[]> {
	return listNewest(db, [page.maxId, page.limit], page);
}

async function getPets(
	db: Queryable,
	ids: readonly bigint[],
): Promise<(FoundPet | undefined)[]> {
	const rows = await query<FoundPetRow>(db, statements.getPets, [ids]);
	const found = new Map(rows.map((row) => [row.id, toFoundPet(row)]));
	return ids.map((id) => found.get(String(id)));
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

const listNewest = toFilteredQuery<PetRow>(
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
