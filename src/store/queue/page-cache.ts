// A cache of first pages. Further pages are seldom requested twice.
import type { StoredPet } from "../../domain/pet.ts";
import { isFirstPage, type Page, pageToText } from "../catalogue.ts";

/** With the longest names they take about 25 MB, with their JSON texts. */
const maxPages = 100;

export function createPageCache<Value>() {
	const values = new Map<string, Value>();
	// Callers reuse their Page objects, so the text is made once for each.
	const texts = new WeakMap<Page, string>();

	function toText(page: Page): string {
		let text = texts.get(page);
		if (text === undefined) {
			text = pageToText(page);
			texts.set(page, text);
		}
		return text;
	}

	return {
		get: (page: Page): Value | undefined =>
			isFirstPage(page) ? values.get(toText(page)) : undefined,
		/** Only first pages are cached. If the cache is full, all other pages are removed. */
		set(page: Page, value: Value): void {
			if (!isFirstPage(page)) return;
			if (values.size >= maxPages) values.clear();
			values.set(toText(page), value);
		},
		clear: () => values.clear(),
	};
}

/** Caches pages until the next commit. `version` changes with each commit. */
export function cachePages(
	version: () => number,
	read: (page: Page) => readonly StoredPet[],
): (page: Page) => readonly StoredPet[] {
	const pages = createPageCache<readonly StoredPet[]>();
	let cachedVersion: number | undefined;

	return (page) => {
		// Before the page is read: a commit in between makes the page newer than its version, never older.
		const current = version();
		if (current !== cachedVersion) pages.clear();
		cachedVersion = current;
		const cached = pages.get(page);
		if (cached !== undefined) return cached;
		const pets = read(page);
		pages.set(page, pets);
		return pets;
	};
}
