// A cache of first pages, limited by the length of their text. Further pages are seldom requested twice.
import { maxCachedLength } from "../../limits.ts";
import { isFirstPage, type Page, pageToText } from "../catalogue.ts";
import { bytesOf, isLong, type ListedPets } from "./long-page.ts";

export function createPageCache<Value>() {
	const entries = new Map<string, { value: Value; length: number }>();
	// Callers reuse their Page objects, so the text is made once for each.
	const texts = new WeakMap<Page, string>();
	let total = 0;

	function toText(page: Page): string {
		let text = texts.get(page);
		if (text === undefined) {
			text = pageToText(page);
			texts.set(page, text);
		}
		return text;
	}

	function clear(): void {
		entries.clear();
		total = 0;
	}

	return {
		get: (page: Page): Value | undefined =>
			isFirstPage(page) ? entries.get(toText(page))?.value : undefined,
		/** Replaces the value of this page. If the cache is full, all other pages are removed. Only first pages are cached. */
		set(page: Page, value: Value, length: number): void {
			if (!isFirstPage(page)) return;
			const key = toText(page);
			total -= entries.get(key)?.length ?? 0;
			entries.delete(key);
			if (total + length > maxCachedLength) clear();
			if (length > maxCachedLength) return;
			entries.set(key, { value, length });
			total += length;
		},
		clear,
	};
}

/** Caches pages until the next commit. `version` changes with each commit. */
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

/** Reads a long page once. */
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
