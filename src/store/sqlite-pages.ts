// The first pages of lists, kept until something is written: to read one takes 19 µs.
import type { Pet } from "../contract.ts";
import { maxInt64 } from "../json.ts";
import type { Page } from "./store.ts";

/** Lists pages as the database has them now. `version` changes with each commit. */
export function keepPages(
	version: () => number,
	read: (page: Page) => readonly Pet[],
): (page: Page) => readonly Pet[] {
	const kept = new Map<string, readonly Pet[]>();
	let keptLength = 0;
	let keptVersion: number | undefined;

	function forgetOlder(current: number): void {
		if (current === keptVersion) return;
		kept.clear();
		keptLength = 0;
		keptVersion = current;
	}

	return (page) => {
		// Further pages are seldom asked for twice.
		if (page.maxId !== maxInt64) return read(page);
		// Before the page is read: what is written in between makes it newer than we think, never older.
		forgetOlder(version());
		const name = `${page.limit} ${page.status}`;
		const known = kept.get(name);
		if (known !== undefined) return known;
		const pets = read(page);
		const length = toLength(pets);
		if (keptLength + length > maxLength) return pets;
		kept.set(name, pets);
		keptLength += length;
		return pets;
	};
}

/** Of all of them, in characters: room for one page of the longest names, so that many who ask for it cost one reading. */
const maxLength = 8 * 1024 * 1024;
/** What an animal takes beside its name, roughly. */
const lengthOfRest = 200;

function toLength(pets: readonly Pet[]): number {
	return pets.reduce(
		(length, { name }) => length + name.length + lengthOfRest,
		0,
	);
}
