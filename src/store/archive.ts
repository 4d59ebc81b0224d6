// Reads all data of a database, and writes it into another.
import type { Pet } from "../contract/pet.ts";
import type { Idempotency } from "./catalogue.ts";
import type { Key, StoredSecret } from "./keys.ts";

export interface Archive {
	/** Everything as it is at one moment, in parts. Uses a connection of its own, so requests are served as usual meanwhile. */
	readonly read: () => AsyncIterable<Part>;
	/** Writes all parts in one transaction, or nothing. Refuses a database that holds or held anything. */
	readonly write: (parts: AsyncIterable<Part>) => Promise<void>;
	/**
	 * Writes the animals of the parts, and the last id, in one transaction beside keys that are there. Returns false, and writes nothing, if
	 * the database holds or held animals.
	 */
	readonly writeFirstPets: (parts: AsyncIterable<Part>) => Promise<boolean>;
}

/** Animals come in the order of their ids. */
export type Part =
	/** The last id that was assigned, whether its animal is still there or not. */
	| { readonly kind: "lastId"; readonly id: bigint }
	| { readonly kind: "pets"; readonly rows: readonly Pet[] }
	| { readonly kind: "keys"; readonly rows: readonly Key[] }
	/** After the keys. Sessions and links are not part of an archive. */
	| { readonly kind: "keySecrets"; readonly rows: readonly StoredSecret[] }
	| {
			readonly kind: "idempotencyKeys";
			readonly rows: readonly StoredIdempotency[];
	  };

export interface StoredIdempotency extends Idempotency {
	readonly petId: bigint;
}
