// The first pages of lists, kept as long as nothing was written: reading one takes ten times as long as asking SQLite
// whether its file has changed (19 against 1.4 µs), which also tells of other processes.
import type { Database } from "bun:sqlite";
import type { Pet } from "../contract.ts";
import { maxInt64 } from "../json.ts";
import type { Page } from "./store.ts";

export interface Pages {
	/** As the database has it now. */
	readonly list: (page: Page) => readonly Pet[];
	/** Must be called after a write on the same connection, which SQLite does not count as a change. */
	readonly forget: () => void;
}

export function createPages(
	db: Database,
	read: (page: Page) => readonly Pet[],
): Pages {
	const changes = db.query<{ data_version: bigint }, []>("PRAGMA data_version");
	const kept = new Map<string, readonly Pet[]>();
	let keptLength = 0;
	let version: bigint | undefined;

	function forget(): void {
		kept.clear();
		keptLength = 0;
	}

	return {
		list(page) {
			// Further pages are seldom asked for twice.
			if (page.maxId !== maxInt64) return read(page);
			// Before the page is read: what is written in between makes it newer than we think, never older.
			const current = changes.get()?.data_version;
			if (current !== version) forget();
			version = current;
			const name = `${page.limit} ${page.status}`;
			const known = kept.get(name);
			if (known !== undefined) return known;
			const pets = read(page);
			const length = toLength(pets);
			if (keptLength + length > maxLength) return pets;
			kept.set(name, pets);
			keptLength += length;
			return pets;
		},
		forget,
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
