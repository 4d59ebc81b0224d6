// What the service asks of a database: types, no code. Times are milliseconds since 1970.
// Every promise is rejected with the Failure `unavailable` when the engine cannot answer.
import type { Awaitable } from "../async/awaitable.ts";
import type { KeyScope, NewPet, Pet, PetStatus } from "../contract/v1.ts";

export interface Store {
	/** At most `limit` animals with ids up to `maxId`, newest first. */
	listPets(page: Page): Awaitable<readonly Pet[]>;
	getPet(id: bigint): Awaitable<Pet | undefined>;
	/** Resolves when the animal is durable. With `idempotency`, one is added at most for its owner and key. */
	addPet(pet: NewPet, idempotency: Idempotency | undefined): Promise<Added>;
	/** Drops the Idempotency-Keys that were used before this time. */
	forgetIdempotencyKeys(before: number): Promise<void>;

	addKey(key: NewKey): Promise<Key>;
	listKeys(): Promise<readonly Key[]>;
	findKey(hash: string): Promise<Key | undefined>;
	/** The key as it was before, or undefined when there is none with this id. */
	revokeKey(id: number, at: number): Promise<Key | undefined>;
	/** Moves the time of last use forward, if that is at least a minute. */
	recordKeyUse(id: number, at: number): Promise<void>;

	/** Everything as it is at one moment, in pieces. */
	readAll(): AsyncIterable<Piece>;
	/** Takes all pieces in one transaction, or none. Refuses when anything is there already. */
	writeAll(pieces: AsyncIterable<Piece>): Promise<void>;

	/** Whether a query can be answered now. */
	ping(): Promise<void>;
	close(): Promise<void>;
}

/** The part of a store that the operations of the interface use. */
export type Catalogue = Pick<Store, "listPets" | "getPet" | "addPet">;

export interface Page {
	readonly limit: number;
	readonly maxId: bigint;
	readonly status: PetStatus | undefined;
}

/** A request that its caller may repeat. The fingerprint tells whether the animal is the same. */
export interface Idempotency {
	readonly owner: string;
	readonly key: string;
	readonly fingerprint: string;
	readonly at: number;
}

/** What is asked of `addPet`. */
export interface Addition {
	readonly pet: NewPet;
	readonly idempotency: Idempotency | undefined;
}

/** An Idempotency-Key as it is kept. */
export interface KeptIdempotency extends Idempotency {
	readonly petId: bigint;
}

/** A part of what a store holds. Animals come in the order of their ids. */
export type Piece =
	/** The last id that was given out, to an animal that is there or not. */
	| { readonly kind: "position"; readonly lastId: bigint }
	| { readonly kind: "pets"; readonly rows: readonly Pet[] }
	| { readonly kind: "keys"; readonly rows: readonly Key[] }
	| { readonly kind: "idempotency"; readonly rows: readonly KeptIdempotency[] };

export type Added =
	| { readonly outcome: "added" | "replayed"; readonly id: bigint }
	/** The key was used for another animal. */
	| { readonly outcome: "mismatch" };

export interface NewKey {
	readonly name: string;
	readonly hash: string;
	readonly prefix: string;
	readonly scope: KeyScope;
	readonly createdAt: number;
	readonly expiresAt: number | undefined;
}

export interface Key extends NewKey {
	readonly id: number;
	readonly revokedAt: number | undefined;
	readonly lastUsedAt: number | undefined;
}
