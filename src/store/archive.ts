// Reads all data of a database, and writes it into another: what `copy`, `backup` and `restore` are made of.
import { OperatorError } from "../contract/errors.ts";
import type { Pet } from "../contract/pet.ts";
import type { Idempotency } from "./catalogue.ts";
import type { Key, StoredSecret } from "./keys.ts";
import type { UsageRow } from "./usage-rows.ts";

export interface Archive {
	/** Everything as it is when the reading begins, in parts. Uses a connection of its own, so requests are served as usual meanwhile. */
	readonly read: () => AsyncIterable<Part>;
	/**
	 * Everything as it is when the reading ends, in parts. No read transaction is long, since one would keep SQLite from restarting its WAL.
	 * So animals that change meanwhile come again, and the usage may be some seconds older.
	 */
	readonly readOnline: (options?: OnlineOptions) => AsyncIterable<Part>;
	/** Writes all parts in one transaction, or nothing. Refuses a database that holds or held anything. */
	readonly write: (parts: AsyncIterable<Part>) => Promise<void>;
	/**
	 * Writes the animals of the parts, and the last id, in one transaction beside keys that are there. Returns false, and writes nothing, if
	 * the database holds or held animals.
	 */
	readonly writeFirstPets: (parts: AsyncIterable<Part>) => Promise<boolean>;
	/**
	 * Deletes everything and writes all parts, in one transaction. No id that the database has assigned is assigned again. All sessions
	 * end.
	 */
	readonly replace: (parts: AsyncIterable<Part>) => Promise<void>;
}

export interface OnlineOptions {
	/** How long to wait after each part. */
	readonly pauseMs?: number;
}

/** Animals come in the order of their ids. Sessions and links are not part of an archive. */
export type Part =
	/** The last id that was assigned, whether its animal is still there or not. The last such part counts. */
	| { readonly kind: "lastId"; readonly id: bigint }
	| { readonly kind: "pets"; readonly rows: readonly Pet[] }
	/** Animals that were added or changed after others were read: they replace those with the same id. */
	| { readonly kind: "newerPets"; readonly rows: readonly Pet[] }
	/** The ids of animals that were removed. They stay assigned. One that came before must not stay. */
	| { readonly kind: "removedIds"; readonly rows: readonly bigint[] }
	| { readonly kind: "keys"; readonly rows: readonly Key[] }
	/** After the keys. */
	| { readonly kind: "keySecrets"; readonly rows: readonly StoredSecret[] }
	| {
			readonly kind: "idempotencyKeys";
			readonly rows: readonly StoredIdempotency[];
	  }
	| { readonly kind: "usage"; readonly rows: readonly UsageRow[] }
	| { readonly kind: "imports"; readonly rows: readonly StoredImport[] }
	/** The number of animals, after all of them, so that the writer can compare. */
	| { readonly kind: "count"; readonly pets: number };

/** A part that has rows. */
export type RowsPart = Extract<Part, { rows: unknown }>;

export interface StoredIdempotency extends Idempotency {
	readonly petId: bigint;
}

/** An import that was done under this id. */
export interface StoredImport {
	readonly id: string;
	readonly animals: number;
	readonly finishedAt: number;
}

/** What all writers of archives refuse. */
export const notEmpty = "The target holds or held animals or keys.";

export function requireCount(expected: number | undefined, found: number) {
	if (expected !== undefined && expected !== found)
		throw new OperatorError(
			`${expected} animals were read, but ${found} were written. Nothing was kept; check the source with "petstore check".`,
		);
}
