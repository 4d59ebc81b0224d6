// Moves everything from one database to another, between any two engines: backup and restore. And the first animals of a sandbox.
import { type Authored, fromAuthor, toAuthor } from "../domain/author.ts";
import { idsExhausted, OperatorError } from "../domain/errors.ts";
import { maxInt64 } from "../domain/json.ts";
import type { Pet } from "../domain/pet.ts";
import { createCounts, insertEdit, toPetRow } from "./edit.ts";
import type { Engine } from "./engine.ts";
import { toNextBase } from "./feed.ts";
import { findKeyNames } from "./keys.ts";
import {
	all,
	first,
	insertRows,
	partRows,
	type Row,
	run,
	type Work,
} from "./sql.ts";
import {
	selectEpoch,
	selectLast,
	type TableName,
	tableNames,
	tables,
	toSelected,
	toSqlName,
} from "./tables.ts";

/** Runs a part of the transfer in one of the two databases: in that of the transaction, or in a backup. */
export type Place = <Result>(work: Work<Result>) => Work<Result>;

/** In the database of the transaction. */
export const here: Place = (work) => work;

export interface TransferOptions {
	/**
	 * Replaces the content of a database that is in use, as an edit of this author. Keys and sessions stay: an old backup must not bring back
	 * keys that were revoked. Without it, everything is put into an empty database.
	 */
	readonly replacedBy?: Authored;
	/** Called after each part. */
	readonly onRows?: ((table: TableName, count: number) => void) | undefined;
}

/** A restore keeps no counter above it: with all ids used, nothing could ever be written again. */
const maxKept = 2n ** 62n + 2n ** 61n;

/**
 * A part of one transaction. The target keeps its id, gets no id that was ever assigned, and begins an epoch of the feed. Returns the edit, if
 * it replaced something.
 */
export function* transfer(
	from: Place,
	to: Place,
	{ replacedBy, onRows = () => {} }: TransferOptions = {},
): Work<bigint | undefined> {
	const source = yield* from(readCounters());
	const target = yield* to(readCounters());
	if (!replacedBy) yield* to(requireEmpty(target));
	const removed = yield* to(countAnimals());
	const moved = archived.filter((name) => !replacedBy || name !== "keys");
	yield* to(deleteRows(moved));
	// Only the keys of the source tell whose keys its authors and Idempotency-Keys mean.
	const isOther = replacedBy && source.id !== target.id;
	const translate: Translate = isOther
		? toForeign(yield* from(findKeyNames()))
		: (_, rows) => rows;
	for (const name of moved)
		for (let last: Row | undefined; ; ) {
			const rows: readonly Row[] = yield* from(readPart(name, last));
			const moving = translate(name, rows);
			yield* to(insertRows(name, moving));
			onRows(name, moving.length);
			last = rows.at(-1);
			if (rows.length < partRows) break;
		}
	const given = max(source.base + source.last, target.base + target.last);
	const kept = target.last > maxKept ? 0n : target.last;
	const edit = max(source.last, kept) + 1n;
	const added = yield* to(countAnimals());
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

type Translate = (name: TableName, rows: readonly Row[]) => readonly Row[];

/** Rows of another catalogue, whose ids of keys mean nothing here. Authors keep their names. */
function toForeign(names: ReadonlyMap<bigint, string>): Translate {
	return (table, rows) => {
		if (table === "idempotencyKeys") return [];
		const column = table === "edits" ? "author" : "addedBy";
		return rows.map((row) => {
			const { keyId, name } = fromAuthor(`${row[column] ?? ""}`);
			if (keyId === undefined) return row;
			const found = name ?? names.get(BigInt(keyId)) ?? "";
			return { ...row, [column]: toAuthor("key", found) };
		});
	};
}

function* countAnimals(): Work<number> {
	const row = yield* first<{ animals: bigint }>(
		"sum counts",
		"SELECT CAST(coalesce(sum(pets), 0) AS int8) AS animals FROM counts",
	);
	return Number(row?.animals);
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

/** The next rows in the order of the key. */
function* readPart(
	name: TableName,
	last: Row | undefined,
): Work<readonly Row[]> {
	const { key } = tables[name];
	const columns = key.map(toSqlName).join(", ");
	const marks = key.map((_, at) => `$${at + 1}`).join(", ");
	const isAfter = last ? `WHERE (${columns}) > (${marks})` : "";
	return yield* all<Row>(
		"read next rows",
		`SELECT ${toSelected(name)} FROM ${toSqlName(name)} ${isAfter} ORDER BY ${columns} LIMIT ${partRows}`,
		last ? key.map((column) => last[column] ?? null) : [],
	);
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
		fill: (pets: Iterable<Pet>) => writeLong(() => fill(pets)),
	};
}

function* fill(pets: Iterable<Pet>): Work<void> {
	const target = yield* readCounters();
	yield* deleteRows(
		tableNames.filter((name) => name !== "catalogue" && name !== "counter"),
	);
	const counts = createCounts();
	const part: Row[] = [];
	let last = 0n;
	for (const pet of pets) {
		const origin = { version: pet.id, addedAt: null, addedBy: null };
		part.push(toPetRow({ ...pet, ...origin }));
		counts.add(pet, 1);
		last = pet.id;
		if (part.length === partRows) yield* insertRows("pets", part.splice(0));
	}
	yield* insertRows("pets", part);
	yield* counts.write();
	yield* setCounters(last, target.base + max(last, target.last));
	yield* run("set last key id", "UPDATE catalogue SET last_key_id = 0");
}
