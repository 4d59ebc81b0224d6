// The animals, and the Idempotency-Keys that they were added with.
import type { Awaitable } from "../domain/async.ts";
import type { Authored } from "../domain/author.ts";
import { storeWroteNothing } from "../domain/errors.ts";
import { filterToText, type IndexedFilter } from "../domain/filter.ts";
import { maxInt64 } from "../domain/json.ts";
import type { NewPet, Only, StoredPet } from "../domain/pet.ts";
import type { VersionCondition } from "../domain/version.ts";

export interface Catalogue {
	/** At most `limit` animals. Returns the same array as before only if the page is unchanged. */
	readonly listPets: (page: Page) => Awaitable<readonly StoredPet[]>;
	readonly getPet: (id: bigint) => Awaitable<FoundPet | undefined>;
	/** Resolves when the animal is durable. With `idempotency`, at most one animal is added for its owner and key. */
	readonly addPet: (addition: Addition) => Promise<Added>;
	/** Makes all changes in order, with their entries in feed and history, in one transaction, or none. Resolves when they are durable. */
	readonly changePets: (
		changes: readonly PetChange[],
		/** By the command line if not given. */
		authored?: Authored,
	) => Promise<Changed>;
	/** Counts the next `limit` animals of a filter, in the order of their ids. */
	readonly countPets: (range: CountRange) => Awaitable<PetCount>;
	/** The same, with the number in each category. */
	readonly countCategories: (range: CountRange) => Awaitable<CategoryCount>;
}

/** The newest animals first, up to the id `maxId`. */
export type Page = IndexedFilter & {
	readonly maxId: bigint;
	readonly limit: number;
};

/** Different pages have different texts. */
export function pageToText(
	page: Only<Page, "limit" | "maxId" | keyof IndexedFilter>,
): string {
	const start = isFirstPage(page) ? "" : page.maxId;
	return `${page.limit} ${start} ${filterToText(page)}`;
}

/** Of the newest animals. */
export function isFirstPage({ maxId }: Pick<Page, "maxId">): boolean {
	return maxId === maxInt64;
}

export interface Addition {
	readonly pet: NewPet;
	readonly idempotency?: Idempotency | undefined;
	/** Now, and by no key, if not given. */
	readonly origin?: PetOrigin | undefined;
}

/** Makes an add repeatable. A repeated request for the same animal has the same fingerprint. */
export interface Idempotency {
	/** The hash of the API key. */
	readonly owner: string;
	readonly key: string;
	readonly fingerprint: string;
	readonly at: number;
}

/** When an animal is added, and by which stored key; null for any other key. */
export interface PetOrigin {
	readonly at: number;
	readonly by: number | null;
}

export type Added =
	| { readonly outcome: "added"; readonly id: bigint }
	/** `at` is when it was added. */
	| { readonly outcome: "replayed"; readonly id: bigint; readonly at: number }
	/** The Idempotency-Key was used for another animal. */
	| { readonly outcome: "mismatch" };

/** Of several additions with the same Idempotency-Key, only the first is inserted; the others get its outcome. */
export function isFirstWithItsKey(): (addition: Addition) => boolean {
	const seen = new Set<string>();
	return ({ idempotency }) => {
		if (idempotency === undefined) return true;
		const known = seen.size;
		return seen.add(toMapKey(idempotency)).size > known;
	};
}

/** Neither part can contain a space. */
export function toMapKey(of?: Pick<Idempotency, "owner" | "key">): string {
	return `${of?.owner} ${of?.key}`;
}

/** As an engine returns it. */
export interface StoredAddition {
	readonly fingerprint: string;
	readonly id: bigint;
	readonly at: number | bigint | string;
}

/** The outcome of an addition whose Idempotency-Key was stored before it. */
export function toRepeated(
	{ idempotency }: Addition,
	stored: StoredAddition | undefined,
): Added {
	// It expired and was deleted between the two queries.
	if (stored === undefined)
		throw storeWroteNothing(
			new Error("an Idempotency-Key expired during the request"),
		);
	const { fingerprint, id, at } = stored;
	return fingerprint === idempotency?.fingerprint
		? { outcome: "replayed", id, at: Number(at) }
		: { outcome: "mismatch" };
}

/** An animal with the epoch of the database, which is a part of its ETag. */
export interface FoundPet extends StoredPet {
	readonly epoch: string;
}

export interface PetChange {
	readonly petId: bigint;
	/** The members to replace; undefined removes the animal. */
	readonly set: Partial<NewPet> | undefined;
	/** Versions that the animal may have before all changes. If it has another, no change is made. */
	readonly condition?: VersionCondition;
	/** Puts a removed animal back, with this and all members of `set`. Without it, a removed animal counts as missing. */
	readonly putBack?: Pick<StoredPet, "addedAt" | "addedBy"> | undefined;
}

export type Changed =
	/** For each change, its animal after all changes; undefined if it was removed. */
	| {
			readonly outcome: "changed";
			readonly pets: readonly (FoundPet | undefined)[];
	  }
	| ChangeRefused;

/** The first change that was impossible. No change was made. */
export type ChangeRefused =
	| { readonly outcome: "missing"; readonly index: number }
	/** The animal has another version; `pet` is its current state. */
	| {
			readonly outcome: "differs";
			readonly index: number;
			readonly pet: FoundPet;
	  };

export interface CountRange extends IndexedFilter {
	readonly afterId: bigint;
	readonly limit: number;
}

export interface PetCount {
	readonly count: number;
	/** The id of the last animal that was counted; undefined if none was. */
	readonly lastId: bigint | undefined;
}

export interface CategoryCount extends PetCount {
	readonly byCategory: readonly (readonly [id: bigint, count: number])[];
}

/** The changes of one call, joined by animal. */
export interface Plan {
	/** The changes whose animals must exist and meet their conditions. */
	readonly checked: readonly PetChange[];
	/** By animal. */
	readonly results: ReadonlyMap<bigint, PetChange>;
	/** The first change of an animal that an earlier change removes. Then no change is made. */
	readonly refused: ChangeRefused | undefined;
}

/** Joins the changes of each animal, so that it gets at most one new version. */
export function toPlan(changes: readonly PetChange[]): Plan {
	const results = new Map<bigint, PetChange>();
	for (const [index, change] of changes.entries()) {
		const { petId, set } = change;
		const known = results.get(petId);
		if (known !== undefined && known.set === undefined) {
			const checked = changes.slice(0, index);
			return { checked, results, refused: { outcome: "missing", index } };
		}
		results.set(petId, {
			...known,
			...change,
			set: set && { ...known?.set, ...set },
		});
	}
	return { checked: changes, results, refused: undefined };
}
