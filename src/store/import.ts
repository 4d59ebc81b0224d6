// Adds or updates all animals of a file in one transaction. They are staged in a temporary file first, so that the database is not locked
// while the file is read.
import type { Authored } from "../domain/author.ts";
import type { PetPatch } from "../domain/pet.ts";
import type { FileUpdate } from "../formats/pet.ts";
import type { LineProblem } from "../formats/problem.ts";

/** Errors of an imported file that are listed; further ones are only counted. */
export const maxListedErrors = 100;

/** All animals of a file get new ids, or a line with an id changes that animal. */
export type ImportMode = "add" | "update";

export interface ImportReads {
	/** The result of the import with this id; undefined if none has this id. */
	readonly find: (importId: string) => Promise<FinishedImport | undefined>;
	/** What an import would do. */
	readonly check: (staged: Staged, mode: ImportMode) => Promise<ImportCheck>;
}

export interface Imports extends ImportReads {
	/** Does all of it in one transaction, or nothing. Uses a connection of its own. */
	readonly write: (staged: Staged, options: ImportOptions) => Promise<Imported>;
}

export interface ImportOptions {
	readonly mode: ImportMode;
	/** An import with a stored id adds nothing. */
	readonly importId: string | undefined;
	/** SHA-256 of the file. Stored with `importId`. */
	readonly contentHash: string;
	readonly authored: Authored;
	/** Called with the number of animals so far. */
	readonly onProgress: (count: number) => void;
	/** Whether this process serves requests, and so runs the checkpoint later. */
	readonly isServing?: true;
	/** Cancels the import, until the commit begins. */
	readonly signal: AbortSignal;
}

export type Imported =
	| ({ readonly outcome: "done" } & ImportCounts)
	| ({ readonly outcome: "repeated" } & FinishedImport)
	/** The import id was used for another file. */
	| ({ readonly outcome: "reused" } & FinishedImport)
	| ({ readonly outcome: "refused" } & ImportProblems);

export interface ImportCounts {
	readonly added: number;
	readonly changed: number;
	readonly unchanged: number;
}

/** Lines that conflict with the animals of the database. */
export interface ImportProblems {
	readonly count: number;
	/** At most `maxListedErrors`, by line. */
	readonly first: readonly LineProblem[];
}

export interface ImportCheck extends ImportCounts {
	readonly problems: ImportProblems;
}

export interface FinishedImport {
	/** Added or changed. */
	readonly animals: number;
	readonly finishedAt: number;
	readonly contentHash: string;
}

/** Animals that were read from a file. */
export interface Staged {
	/** Of the SQLite file with the table `staged`. */
	readonly path: string;
	readonly count: () => number;
	/** In the order of the lines, after the first `done`, in parts of limited size. */
	readonly read: (done?: number) => Iterable<readonly StagedPet[]>;
}

export interface StagedPet {
	readonly line: number;
	readonly id: bigint | null;
	/** The version that the animal must have. */
	readonly version: bigint | null;
	/** An animal that is added has all members. */
	readonly set: PetPatch;
}

export interface Staging extends Staged {
	/** Returns the line that has the same id already, and then adds nothing. */
	readonly add: (line: number, pet: FileUpdate) => number | undefined;
	/** Must be called after the last animal. */
	readonly finish: () => void;
	/** Removes the file. */
	readonly close: () => void;
}
