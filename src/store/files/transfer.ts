// Moves everything from one database to another, between any two engines: backup and restore. And the first animals of a sandbox.
import {
	type Authored,
	fromAuthor,
	toAuthor,
} from "../../domain/access/author.ts";
import { idsExhausted, OperatorError } from "../../domain/errors.ts";
import type { NumberedPet } from "../../domain/pet/pet.ts";
import { maxInt64 } from "../../domain/types/json.ts";
import { findKeyNames } from "../access/keys.ts";
import type { Engine } from "../database/engine.ts";
import {
	all,
	first,
	insertRows,
	mayPause,
	partRows,
	type Row,
	run,
	type Work,
} from "../database/sql.ts";
import { selectEpoch, selectLast, toNextBase } from "../database/state.ts";
import {
	type TableName,
	tableNames,
	tables,
	toSqlName,
} from "../database/tables.ts";
import { insertEdit, toPetRow } from "../edits/edit.ts";
import {
	clearTotals,
	createPetTotals,
	insertTotals,
	readDeltas,
	readTotals,
	sumOf,
} from "../edits/totals.ts";
import { readPart } from "./content-hash.ts";

/** Runs a part of the transfer in one of the two databases: in that of the transaction, or in a backup. */
export type RunIn = <Result>(work: Work<Result>) => Work<Result>;

/** In the database of the transaction. */
export const inTransaction: RunIn = (work) => work;

export interface TransferOptions {
	/**
	 * Replaces the content of a database that is in use, as an edit of this author. Keys and sessions stay: an old backup must not bring back
	 * keys that were revoked. Without it, everything is put into an empty database.
	 */
	readonly replacedBy?: Authored;
	/** Called after each part. */
	readonly onRows?:
		| ((table: TableName, rows: readonly Row[]) => void)
		| undefined;
}

/** A restore keeps no counter above it: with all ids used, nothing could ever be written again. */
const maxKept = 2n ** 62n + 2n ** 61n;

/**
 * A part of one transaction. The target keeps its id, gets no id that was ever assigned, and begins an epoch of the feed. Returns the edit,
 * if it replaced something.
 */
export function* transfer(
	from: RunIn,
	to: RunIn,
	{ replacedBy, onRows = () => {} }: TransferOptions = {},
): Work<bigint | undefined> {
	const source = yield* from(readCounters());
	const target = yield* to(readCounters());
	if (!replacedBy) yield* to(requireEmpty(target));
	const deltas = yield* from(readDeltas());
	const removed = sumOf(yield* to(clearTotals()));
	const moved = archived.filter((name) => !replacedBy || name !== "keys");
	yield* to(deleteRows(moved));
	// Only the keys of the source tell whose keys its authors and Idempotency-Keys mean.
	const isOther = replacedBy && source.id !== target.id;
	for (const name of moved)
		for (let last: Row | undefined; ; ) {
			const rows: readonly Row[] = yield* from(readPart(name, last));
			const moving = isOther ? yield* toForeign(name, rows, from) : rows;
			yield* to(
				name === "counts" ? insertTotals(moving) : insertRows(name, moving),
			);
			onRows(name, moving);
			yield mayPause;
			last = rows.at(-1);
			if (rows.length < partRows) break;
		}
	yield* to(deltas.write());
	const given = max(source.base + source.last, target.base + target.last);
	const kept = target.last > maxKept ? 0n : target.last;
	const edit = max(source.last, kept) + 1n;
	const added = sumOf(yield* to(readTotals()));
	// An edit has a position for each animal.
	const last = replacedBy ? edit + BigInt(added + removed) : edit - 1n;
	if (last > maxInt64) throw idsExhausted;
	yield* to(setCounters(last, given));
	if (!replacedBy) {
		const lastKeyId = max(source.lastKeyId, target.lastKeyId);
		yield* to(
			run("set last key id", "UPDATE catalogue SET last_key_id = $1", [
				lastKeyId,
			]),
		);
		return undefined;
	}
	const totals = { added, changed: 0, removed };
	yield* to(insertEdit(replacedBy, { id: edit, kind: "restored", ...totals }));
	return edit;
}

/** Rows of another catalogue, whose ids of keys mean nothing here. Authors keep their names. */
function* toForeign(
	table: TableName,
	rows: readonly Row[],
	from: RunIn,
): Work<readonly Row[]> {
	if (table === "idempotencyKeys") return [];
	const column = table === "edits" ? "author" : "addedBy";
	const authors = rows.map((row) => `${row[column] ?? ""}`);
	const names = yield* from(findKeyNames(authors));
	return rows.map((row, index) => {
		const { keyId, name } = fromAuthor(authors[index] ?? "");
		if (keyId === undefined) return row;
		const found = name ?? names.get(BigInt(keyId)) ?? "";
		return { ...row, [column]: toAuthor("key", found) };
	});
}

const archived = tableNames.filter((name) => tables[name].isArchived !== false);

interface Counters {
	/** Of the catalogue. */
	readonly id: string;
	readonly base: bigint;
	/** The last id that was assigned, even if its animal was removed. */
	readonly last: bigint;
	readonly lastKeyId: bigint;
}

export function* readCounters(): Work<Counters> {
	const row = yield* first<Omit<Counters, "base"> & { base: string }>(
		"read counters",
		`SELECT id, last_key_id AS "lastKeyId", (${selectEpoch}) AS base, (${selectLast}) AS last FROM catalogue`,
	);
	if (row === undefined) throw new OperatorError("The database is damaged.");
	return { ...row, base: BigInt(row.base) };
}

/** The counters show whether there ever were animals and keys. A service without them may have signed someone in. */
function* requireEmpty({ last, lastKeyId }: Counters): Work<void> {
	const found = yield* all(
		"find any category",
		"SELECT 1 FROM categories LIMIT 1",
	);
	if (found.length > 0 || last > 0n || lastKeyId > 0n)
		throw new OperatorError(
			"The target holds or held animals, keys or names of categories. Nothing was restored; add --replace to back up the database and replace its content.",
		);
}

/** DELETE, since TRUNCATE would make lists of PostgreSQL wait. */
function* deleteRows(names: readonly TableName[]): Work<void> {
	for (const name of names.toReversed())
		yield* run("delete all rows", `DELETE FROM ${toSqlName(name)}`);
}

/** `given` is the last position that either database has given out. */
function* setCounters(last: bigint, given: bigint): Work<void> {
	const base = toNextBase(given, last);
	yield { moves: { last, base: `${base}` } };
}

function max(one: bigint, other: bigint): bigint {
	return one > other ? one : other;
}

export type Archive = ReturnType<typeof openArchive>;

export function openArchive({ openSnapshot, writeLong }: Engine) {
	return {
		/** Runs work that only reads on one moment of the database. Signals arrive between its statements. */
		async read<Result>(toWork: () => Work<Result>): Promise<Result> {
			const { read, close } = await openSnapshot();
			try {
				return await read(toWork);
			} finally {
				await close();
			}
		},
		/** In one transaction. */
		write: writeLong,
		/** For a sandbox: replaces everything by these animals, in the order of their ids, and begins an epoch. */
		fill: (pets: Iterable<NumberedPet>) => writeLong(() => fill(pets)),
	};
}

function* fill(pets: Iterable<NumberedPet>): Work<void> {
	const target = yield* readCounters();
	yield* clearTotals();
	yield* deleteRows(
		tableNames.filter((name) => name !== "catalogue" && name !== "counter"),
	);
	const petTotals = createPetTotals();
	const part: Row[] = [];
	let last = 0n;
	for (const pet of pets) {
		const origin = { version: pet.id, addedAt: null, addedBy: null };
		part.push(toPetRow({ ...pet, ...origin }));
		petTotals.add(pet, 1);
		last = pet.id;
		if (part.length === partRows) yield* insertRows("pets", part.splice(0));
	}
	yield* insertRows("pets", part);
	yield* petTotals.write();
	yield* setCounters(last, target.base + max(last, target.last));
	yield* run("set last key id", "UPDATE catalogue SET last_key_id = 0");
}
