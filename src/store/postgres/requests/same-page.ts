// The arrays of first pages. A page is read each time; if its rows have not changed, the same array is returned again, so that it
// is not encoded again.
import type { Only } from "../../../domain/only.ts";
import type { StoredPet } from "../../../domain/pet.ts";
import type { Page } from "../../catalogue.ts";
import { bytesOf } from "../../queue/long-page.ts";
import { createPageCache } from "../../queue/page-cache.ts";
import { type PetRow, toPet } from "../rows.ts";

/** The animals of the rows that a page has now. */
export function reusePages(): (
	page: Page,
	rows: readonly PetRow[],
) => readonly StoredPet[] {
	const pages = createPageCache<{
		readonly rows: readonly PetRow[];
		readonly pets: readonly StoredPet[];
	}>();
	return (page, rows) => {
		const cached = pages.get(page);
		if (
			cached?.rows.length === rows.length &&
			cached.rows.every((row, index) => isEqual(row, rows[index]))
		)
			return cached.pets;
		const pets = rows.map(toPet);
		pages.set(page, { rows, pets }, bytesOf(pets));
		return pets;
	};
}

/** Compares all members: one that is forgotten here is a type error. */
function isEqual(
	row: Only<
		PetRow,
		| ("id" | "name" | "categoryId" | "status")
		| ("version" | "addedAt" | "addedBy")
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
