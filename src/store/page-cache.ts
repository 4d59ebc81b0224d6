// A cache of first pages, limited by the length of their text. Further pages are seldom requested twice.
import type { Pet } from "../contract/pet.ts";
import { maxCachedLength } from "../limits.ts";
import { isFirstPage, type Page, pageToText } from "./catalogue.ts";

export interface PageCache<Value> {
	readonly get: (page: Page) => Value | undefined;
	/** Replaces what was cached for this page. If the cache is full, all other pages are removed. Only first pages are cached. */
	readonly set: (page: Page, value: Value, pets: readonly Named[]) => void;
	readonly clear: () => void;
}

type Named = Pick<Pet, "name">;

export function createPageCache<Value>(): PageCache<Value> {
	const entries = new Map<string, { value: Value; length: number }>();
	/** A page that is asked for again is often the same object. */
	const keys = new WeakMap<Page, string>();
	let total = 0;

	function clear(): void {
		entries.clear();
		total = 0;
	}

	function remove(key: string): void {
		total -= entries.get(key)?.length ?? 0;
		entries.delete(key);
	}

	function toKey(page: Page): string {
		const known = keys.get(page);
		if (known !== undefined) return known;
		const key = pageToText(page);
		keys.set(page, key);
		return key;
	}

	return {
		get: (page) =>
			isFirstPage(page) ? entries.get(toKey(page))?.value : undefined,
		set(page, value, pets) {
			if (!isFirstPage(page)) return;
			const key = toKey(page);
			remove(key);
			const length = lengthOf(pets);
			if (total + length > maxCachedLength) clear();
			if (length > maxCachedLength) return;
			entries.set(key, { value, length });
			total += length;
		},
		clear,
	};
}

/** What an animal takes besides its name, roughly. */
const restLength = 200;

function lengthOf(pets: readonly Named[]): number {
	return pets.reduce((sum, { name }) => sum + name.length + restLength, 0);
}
