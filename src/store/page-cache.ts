// The first pages of lists, as far as there is room for them. Further pages are seldom asked for twice.

import { maxInt64 } from "../contract/json.ts";
import type { Pet } from "../contract/v1.ts";
import type { Page } from "./store.ts";

/** What is kept of a page, under what was asked. */
export interface Pages<Kept> {
	readonly get: (page: Page) => Kept | undefined;
	/** In place of what was kept of it before; nothing if it is no first page or there is no room. */
	readonly set: (page: Page, kept: Kept, animals: readonly Named[]) => void;
	readonly clear: () => void;
}

type Named = Pick<Pet, "name">;

export function createPages<Kept>(): Pages<Kept> {
	const entries = new Map<string, { kept: Kept; length: number }>();
	let total = 0;

	function remove(name: string): void {
		total -= entries.get(name)?.length ?? 0;
		entries.delete(name);
	}

	return {
		get: (page) =>
			isFirst(page) ? entries.get(toName(page))?.kept : undefined,
		set(page, kept, animals) {
			if (!isFirst(page)) return;
			const name = toName(page);
			remove(name);
			const length = toLength(animals);
			if (total + length > maxLength) return;
			entries.set(name, { kept, length });
			total += length;
		},
		clear() {
			entries.clear();
			total = 0;
		},
	};
}

function isFirst({ maxId }: Page): boolean {
	return maxId === maxInt64;
}

function toName({ limit, status }: Page): string {
	return `${limit} ${status}`;
}

/** Of all of them, in characters: room for one page of the longest names, so that many who ask for it cost one reading. */
const maxLength = 8 * 1024 * 1024;
/** What an animal takes beside its name, roughly. */
const lengthOfRest = 200;

function toLength(animals: readonly Named[]): number {
	return animals.reduce(
		(length, { name }) => length + name.length + lengthOfRest,
		0,
	);
}
