// First pages that stay in memory until the next commit.
import type { Pet } from "../../contract/pet.ts";
import type { Page } from "../catalogue.ts";
import { createPageCache } from "../page-cache.ts";

/** Lists pages as the database has them now. `version` changes with each commit. */
export function cachePages(
	version: () => number,
	read: (page: Page) => readonly Pet[],
): (page: Page) => readonly Pet[] {
	const pages = createPageCache<readonly Pet[]>();
	let cachedVersion: number | undefined;

	return (page) => {
		// Before the page is read: a commit in between makes the page newer than its version, never older.
		const current = version();
		if (current !== cachedVersion) pages.clear();
		cachedVersion = current;
		const cached = pages.get(page);
		if (cached !== undefined) return cached;
		const pets = read(page);
		pages.set(page, pets, pets);
		return pets;
	};
}
