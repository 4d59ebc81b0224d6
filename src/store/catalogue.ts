// The animals, and the Idempotency-Keys that they were added with.
import type { Awaitable } from "../async/awaitable.ts";
import { filterToText, type IndexedFilter } from "../contract/filter.ts";
import { maxInt64 } from "../contract/json.ts";
import type { Only } from "../contract/only.ts";
import type { NewPet, Pet } from "../contract/pet.ts";
import type { ListedPets } from "./long-page.ts";

export interface Catalogue {
	/** At most `limit` animals with ids up to `maxId`, newest first. Returns the same array as before only if the page is unchanged. */
	readonly listPets: (page: Page) => Awaitable<ListedPets>;
	readonly getPet: (id: bigint) => Awaitable<Pet | undefined>;
	/** Resolves when the animal is durable. With `idempotency`, at most one animal is added for its owner and key. */
	readonly addPet: (
		pet: NewPet,
		idempotency: Idempotency | undefined,
	) => Promise<Added>;
	/** Does all changes in one transaction, in their order, or none of them. Resolves when they are durable. */
	readonly changePets: (changes: readonly PetChange[]) => Promise<Changed>;
	/** Counts the next `limit` animals of a filter, in the order of their ids. */
	readonly countPets: (range: CountRange) => Awaitable<PetCount>;
	/** Deletes the Idempotency-Keys that were used before this time. */
	readonly deleteIdempotencyKeys: (usedBefore: number) => Promise<void>;
}

export interface Page extends IndexedFilter {
	readonly limit: number;
	readonly maxId: bigint;
}

/** Identifies a page: the same text for the same page, and another for any other. */
export function pageToText(
	page: Only<Page, "limit" | "maxId" | keyof IndexedFilter>,
): string {
	const start = isFirstPage(page) ? "" : page.maxId;
	return `${page.limit} ${start} ${filterToText(page)}`;
}

export function isFirstPage({ maxId }: Page): boolean {
	return maxId === maxInt64;
}

/** Makes an add repeatable. The fingerprint tells whether a repeated request adds the same animal. */
export interface Idempotency {
	/** The hash of the API key. */
	readonly owner: string;
	readonly key: string;
	readonly fingerprint: string;
	readonly at: number;
}

export type Added =
	| { readonly outcome: "added" | "replayed"; readonly id: bigint }
	/** The Idempotency-Key was used for another animal. */
	| { readonly outcome: "mismatch" };

/** The arguments of `addPet`, as a batch carries them. */
export interface Addition {
	readonly pet: NewPet;
	readonly idempotency: Idempotency | undefined;
}

export interface PetChange {
	readonly petId: bigint;
	/** The members to replace; undefined removes the animal. */
	readonly set: Partial<NewPet> | undefined;
	/** The animal as the caller knows it. If it is not so any more, nothing is done. */
	readonly expected?: Pet | undefined;
}

export type Changed =
	/** One per change: the animal after it, undefined if it was removed. */
	| { readonly outcome: "changed"; readonly pets: readonly (Pet | undefined)[] }
	| ChangeRefused;

/** The first change that could not be done. Nothing was done. */
export interface ChangeRefused {
	/** Whether the animal is not there, or is not as expected. */
	readonly outcome: "missing" | "differs";
	readonly index: number;
}

export interface CountRange extends IndexedFilter {
	readonly afterId: bigint;
	readonly limit: number;
}

export interface PetCount {
	readonly count: number;
	/** The id of the last animal that was counted; undefined if there was none. */
	readonly lastId: bigint | undefined;
}
