// The client as its users see it: its calls, what they take and what they return.
import type { CallOptions } from "./options.ts";
import type { NewPet, Pet, PetStatus } from "./pet.ts";

export interface Client {
	/** All animals that match, in the order of the store. A page is requested when the loop needs it. */
	listPets(query?: PageQuery, options?: CallOptions): AsyncIterable<Pet>;
	/** Adds an animal once, also if the request has to be repeated. */
	createPet(pet: NewPet, options?: CreateOptions): Promise<Pet>;
	getPet(id: bigint, options?: CallOptions): Promise<Pet>;
	/**
	 * Every animal that is added, changed or removed after a position, as it happens; at first all that are there. The loop goes on until
	 * it is left or its signal aborts: it opens a stream that was cut again. Only `petstore-service` has this.
	 */
	changes(options?: ChangesOptions): AsyncIterable<Change>;

	/** One page with its ETag: the first one that matches a query, or the one that `next` of another page names. */
	readPage(from?: PageQuery | string, options?: ReadOptions): Promise<Page>;
	/** Undefined if the store still has the version that `ifNoneMatch` names. */
	readPage(
		from: PageQuery | string | undefined,
		options: ConditionalOptions,
	): Promise<Page | undefined>;

	/** One animal with its ETag. */
	readPet(id: bigint, options?: ReadOptions): Promise<PetVersion>;
	/** Undefined if the store still has the version that `ifNoneMatch` names. */
	readPet(
		id: bigint,
		options: ConditionalOptions,
	): Promise<PetVersion | undefined>;
}

export interface PageQuery {
	readonly status?: PetStatus | undefined;
	/** How many animals a page has at most. */
	readonly limit?: number | undefined;
}

export interface ChangesOptions extends CallOptions {
	/** The `position` of the last change that was handled. All animals come first without it. */
	readonly after?: bigint | undefined;
}

export type Change = PetChange | PetRemoval;

export interface PetChange {
	readonly position: bigint;
	readonly kind: "added" | "changed";
	readonly petId: bigint;
	/** The animal as it is now. */
	readonly pet: Pet;
}

export interface PetRemoval {
	readonly position: bigint;
	readonly kind: "removed";
	readonly petId: bigint;
	readonly pet?: undefined;
}

export interface CreateOptions extends CallOptions {
	/** Made by the client if it is not given. The same key with the same animal adds it only once, also from another process. */
	readonly idempotencyKey?: string | undefined;
}

export interface ReadOptions extends CallOptions {
	readonly ifNoneMatch?: undefined;
}

export interface ConditionalOptions extends CallOptions {
	/** The `etag` of an earlier read. */
	readonly ifNoneMatch: string | undefined;
}

export interface Page {
	readonly pets: readonly Pet[];
	readonly etag: string | undefined;
	/** The address of the next page; undefined on the last one. */
	readonly next: string | undefined;
}

export interface PetVersion {
	readonly pet: Pet;
	readonly etag: string | undefined;
}
