// The animals in PostgreSQL. Callers that wait at the same time share a query.
import type { Only } from "../../contract/only.ts";
import type { Pet } from "../../contract/pet.ts";
import { postgresCleanUpRows } from "../../limits.ts";
import { createBatch } from "../batch.ts";
import type { Addition, Catalogue, Page } from "../catalogue.ts";
import { addPets } from "./adds.ts";
import {
	type Database,
	query,
	toStatements,
	withAnswerTimeout,
} from "./database.ts";
import { reusePages } from "./page-cache.ts";
import { createPageReads } from "./page-reads.ts";
import { type PetRow, petColumns, toPet } from "./rows.ts";

export function openCatalogue(
	db: Database,
	onBatch?: (size: number) => void,
): Catalogue {
	const toPets = reusePages();
	const listPage = async (page: Page) => toPets(page, await listRows(db, page));

	// A batch has a timeout too, so that one that is never answered does not keep the next from starting. So has the read of a page.
	const listPets = createPageReads((page) => withAnswerTimeout(listPage(page)));
	const getPet = createBatch((ids: readonly bigint[]) =>
		withAnswerTimeout(getPets(db, ids)),
	);
	const addPet = createBatch(
		(additions: readonly Addition[]) =>
			withAnswerTimeout(addPets(db, additions)),
		{ onBatch },
	);

	return {
		listPets: (page) => withAnswerTimeout(listPets(page)),

		getPet: (id) => withAnswerTimeout(getPet(id)),

		addPet: (pet, idempotency) =>
			withAnswerTimeout(addPet({ pet, idempotency })),

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

function listRows(
	db: Database,
	{ limit, maxId, status }: Only<Page, "limit" | "maxId" | "status">,
): Promise<PetRow[]> {
	return status === undefined
		? query<PetRow>(db, statements.listPets, [maxId, limit])
		: query<PetRow>(db, statements.listPetsByStatus, [status, maxId, limit]);
}

async function getPets(
	db: Database,
	ids: readonly bigint[],
): Promise<(Pet | undefined)[]> {
	const rows = await query<PetRow>(db, statements.getPets, [ids]);
	const found = new Map(rows.map((row) => [row.id, toPet(row)]));
	return ids.map((id) => found.get(String(id)));
}

const statements = toStatements({
	listPets: `SELECT ${petColumns} FROM petstore.pets WHERE id <= $1 ORDER BY id DESC LIMIT $2`,
	listPetsByStatus: `SELECT ${petColumns} FROM petstore.pets WHERE status = $1 AND id <= $2 ORDER BY id DESC LIMIT $3`,
	getPets: `SELECT ${petColumns} FROM petstore.pets WHERE id = ANY ($1::int8[])`,
	deleteIdempotencyKeys: `DELETE FROM petstore.idempotency_keys WHERE (owner, key) IN
		(SELECT owner, key FROM petstore.idempotency_keys WHERE used_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
		RETURNING 1`,
});
