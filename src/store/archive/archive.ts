// Reads all data of a database, and writes it into another, for `backup` and `restore`.
import type { Pet, StoredPet } from "../../domain/pet.ts";
import { toNextBase } from "../feed.ts";
import { type Row, type TableName, tableNames } from "./tables.ts";

/** Rows in one part of an archive, so that a command needs little memory. */
export const archiveRows = 1_000;

export interface Archive {
	/** Reads everything as it is at the start, in parts, with a connection of its own. */
	readonly read: () => AsyncIterable<Part>;
	/** Writes all parts in one transaction, or nothing. Refuses a database that holds or held anything. */
	readonly write: ArchiveWrite<unknown>;
	/** Writes animals and the last id beside the keys of the database. Returns false, and writes nothing, if it holds or held animals. */
	readonly writeFirstPets: ArchiveWrite<boolean>;
	/** Deletes everything first. No id that the database has assigned is assigned again. All sessions end. */
	readonly replace: ArchiveWrite<unknown>;
}

type ArchiveWrite<Result> = (parts: AsyncIterable<Part>) => Promise<Result>;

/** Animals come in the order of their ids. */
export type Part =
	| ({ readonly kind: "epoch" } & Partial<Epoch>)
	| { readonly kind: "pets"; readonly rows: readonly ArchivedPet[] }
	/** The ids of removed animals, which stay assigned. */
	| { readonly kind: "removedIds"; readonly rows: readonly bigint[] }
	/** The rows of a table, unchanged. */
	| { readonly kind: ArchivedTable; readonly rows: readonly Row[] }
	/** The number of animals, after all of them, so that the writer can compare. */
	| { readonly kind: "count"; readonly pets: number };

/** Without a version, its id is its version. */
export type ArchivedPet = Pet & Partial<StoredPet>;

/** What a backup says about itself. */
export interface Origin {
	/** The id of the catalogue. */
	readonly catalogue: string;
	/** When it was begun. */
	readonly madeAt: number;
}

/** Other parts have the first three. No part has sessions and links, so a restore ends them. */
const notAsRows = [
	"pets",
	"changes",
	"catalogue",
	"sessions",
	"signInLinks",
] as const;

export type ArchivedTable = Exclude<TableName, (typeof notAsRows)[number]>;

export const archivedTables = tableNames.filter(
	(name): name is ArchivedTable => !notAsRows.some((other) => other === name),
);

/** The catalogue of a database with its counters and the base of its feed. */
export interface Epoch {
	/** Random. */
	readonly id: string;
	readonly base: bigint;
	/** The last id that was assigned, even if its animal was removed. */
	readonly lastId: bigint;
	readonly lastKeyId: bigint;
}

/** The epoch after an archive was written. `largest` has the largest ids that the database then has. */
export function toNextEpoch(
	before: Epoch,
	{ id = "", base = 0n, lastId = 0n, lastKeyId = 0n }: Partial<Epoch>,
	largest: Pick<Epoch, "lastId" | "lastKeyId">,
): Epoch {
	const given = [before.base + before.lastId, base + lastId];
	const nextId = maxOf([before.lastId, lastId, largest.lastId]);
	return {
		id: id || before.id,
		base: toNextBase(maxOf(given), nextId),
		lastId: nextId,
		lastKeyId: maxOf([before.lastKeyId, lastKeyId, largest.lastKeyId]),
	};
}

function maxOf(values: readonly bigint[]): bigint {
	return values.reduce((max, value) => (value > max ? value : max), 0n);
}

export const notEmpty =
	"The target holds or held animals, keys or names of categories.";
