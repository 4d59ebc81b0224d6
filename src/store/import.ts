// Adds all animals of a file in one transaction. They are staged in a temporary file first, so that the database is not locked while the
// file is read.
import { OperatorError } from "../domain/errors.ts";
import { maxInt64 } from "../domain/json.ts";
import type { PetStatus } from "../domain/pet.ts";
import type { Sql } from "./archive/tables.ts";
import type { WaitOptions } from "./wait.ts";

/** Errors of an imported file that are listed; further ones are only counted. */
export const maxToldErrors = 100;

export interface Imports {
	/** The result of the import with this id; undefined if none has this id. */
	readonly find: (importId: string) => Promise<FinishedImport | undefined>;
	/** The staged ids that cannot be kept. */
	readonly findTaken: (staged: Staged) => Promise<Taken>;
	/** Adds all staged animals in one transaction, or none. Uses a connection of its own. */
	readonly write: (staged: Staged, options: ImportOptions) => Promise<Imported>;
}

/** Throws if fewer ids are left. */
export function requireIds(lastId: bigint, count: bigint): void {
	if (lastId + count > maxInt64)
		throw new OperatorError(
			`Ids needed: ${count}; ids left: ${maxInt64 - lastId}. Nothing was added.`,
		);
}

export interface ImportOptions extends WaitOptions {
	readonly keepIds: boolean;
	/** An import whose id is stored adds nothing. */
	readonly importId: string | undefined;
	/** SHA-256 of the file, if there is an import id. */
	readonly contentHash: string | undefined;
	/** Called with the number of animals so far. */
	readonly onProgress: (count: number) => void;
	/** Ends the import without a change, until the commit begins. */
	readonly signal: AbortSignal;
}

export type Imported =
	| { readonly outcome: "added" }
	| ({ readonly outcome: "repeated" } & FinishedImport)
	/** The import id was used for another file. */
	| ({ readonly outcome: "reused" } & FinishedImport)
	| ({ readonly outcome: "taken" } & Taken);

export interface FinishedImport {
	readonly animals: number;
	readonly finishedAt: number;
	/** Null if an older program has done it. */
	readonly contentHash: string | null;
}

/** Whether an import that is done had the same file, as far as it is known. */
export function isSame(
	finished: FinishedImport,
	contentHash: string | undefined,
): boolean {
	return [null, contentHash].includes(finished.contentHash);
}

export interface Taken {
	readonly count: number;
	/** By line; the first `maxToldErrors` of them. */
	readonly first: readonly TakenId[];
}

export interface TakenId {
	readonly line: number;
	readonly id: bigint;
	/** Whether its animal was removed. If not, it exists. */
	readonly isRemoved: boolean;
}

/** Animals that were read from a file. */
export interface Staged {
	/** Of the SQLite file with the table `staged`. */
	readonly path: string;
	readonly count: () => number;
	/** The largest of the kept ids, and how many of them are up to `lastId`. */
	readonly ids: (lastId: bigint) => {
		readonly max: bigint;
		readonly late: bigint;
	};
	/** In the order of the lines, in parts of limited size. */
	readonly read: () => Iterable<readonly StagedPet[]>;
}

export interface StagedPet {
	readonly line: number;
	/** Null if ids are not kept. */
	readonly id: bigint | null;
	readonly name: string;
	readonly categoryId: bigint;
	readonly status: PetStatus;
}

export interface Staging extends Staged {
	/** Returns the line that has the same id already, and then adds nothing. */
	readonly add: (pet: StagedPet) => number | undefined;
	/** Must be called after the last animal. */
	readonly finish: () => void;
	/** Removes the file. */
	readonly close: () => void;
}

/** The result of the import with this id; undefined if none has this id. */
export async function findImport(
	sql: Sql,
	id: string,
): Promise<FinishedImport | undefined> {
	const [row] = await sql(
		`SELECT animals, finished_at AS "finishedAt", content_hash AS "contentHash" FROM petstore.imports WHERE id = $1`,
		[id],
	);
	return (
		row && {
			animals: Number(row.animals),
			finishedAt: Number(row.finishedAt),
			contentHash: row.contentHash === null ? null : String(row.contentHash),
		}
	);
}
