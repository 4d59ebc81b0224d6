// Rows that are those of the last time become the same array as then, which is not encoded again: that took a tenth of a list.
import type { Pet } from "../../contract/v1.ts";
import { createPages } from "../page-cache.ts";
import type { Page } from "../store.ts";
import { type PetRow, toPet } from "./rows.ts";

/** The animals of the rows that a page has now. */
export function keepPages(): (
	page: Page,
	rows: readonly PetRow[],
) => readonly Pet[] {
	const pages = createPages<Listed>();
	return (page, rows) => {
		const known = pages.get(page);
		if (known !== undefined && areEqual(known.rows, rows)) return known.pets;
		const pets = rows.map(toPet);
		pages.set(page, { rows, pets }, rows);
		return pets;
	};
}

interface Listed {
	readonly rows: readonly PetRow[];
	readonly pets: readonly Pet[];
}

function areEqual(some: readonly PetRow[], others: readonly PetRow[]): boolean {
	return (
		some.length === others.length &&
		some.every((row, place) => isEqual(row, others[place]))
	);
}

function isEqual(row: PetRow, other: PetRow | undefined): boolean {
	return (
		row.id === other?.id &&
		row.name === other.name &&
		row.categoryId === other.categoryId &&
		row.status === other.status
	);
}
