// First pages that stay in memory until the next commit.
import type { Page } from "../catalogue.ts";
import { bytesOf, isLong, type ListedPets } from "../long-page.ts";
import { createPageCache } from "../page-cache.ts";

/** Lists pages as the database has them now. `version` changes with each commit. */
export function cachePages(
	version: () => number,
	read: (page: Page) => ListedPets,
): (page: Page) => ListedPets {
	const pages = createPageCache<ListedPets>();
	let cachedVersion: number | undefined;

	return (page) => {
		// Before the page is read: a commit in between makes the page newer than its version, never older.
		const current = version();
		if (current !== cachedVersion) pages.clear();
		cachedVersion = current;
		const cached = pages.get(page);
		if (cached !== undefined) return cached;
		const listed = keepPets(read(page));
		pages.set(page, listed, isLong(listed) ? listed.bytes : bytesOf(listed));
		return listed;
	};
}

/** A long page is read once. Its bytes count from the start. */
function keepPets(listed: ListedPets): ListedPets {
	if (!isLong(listed)) return listed;
	const { bytes, read } = listed;
	let pets: ReturnType<typeof read> | undefined;
	return {
		bytes,
		read() {
			pets ??= read();
			return pets;
		},
	};
}
