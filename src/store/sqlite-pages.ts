// The first pages of lists, kept until something is written: to read one takes 19 µs.
import type { Pet } from "../contract.ts";
import { maxInt64 } from "../json.ts";
import type { Page } from "./store.ts";

/** Lists pages as the database has them now. `hasChanged` tells whether there was a commit since it was last asked. */
export function keepPages(
	hasChanged: () => boolean,
	read: (page: Page) => readonly Pet[],
): (page: Page) => readonly Pet[] {
	const kept = new Map<string, readonly Pet[]>();
	return (page) => {
		// Before the page is read: what is written in between makes it newer than we think, never older.
		if (hasChanged()) kept.clear();
		// Further pages are seldom asked for twice.
		if (page.maxId !== maxInt64) return read(page);
		const name = `${page.limit} ${page.status}`;
		const known = kept.get(name);
		if (known !== undefined) return known;
		const pets = read(page);
		if (kept.size < maxPages && isSmall(pets)) kept.set(name, pets);
		return pets;
	};
}

const maxPages = 32;
/** So that all of them, with their encoded bodies, stay within a few megabytes. */
const maxCharacters = 32_000;

function isSmall(pets: readonly Pet[]): boolean {
	let characters = 0;
	for (const { name } of pets) characters += name.length;
	return characters <= maxCharacters;
}
