// Reads the parts of an archive from SQLite without a long read transaction, which would keep the service from restarting the WAL.
//
// Animals are read in slices, each as it is at its own moment. Whatever is added, changed or removed after the first slice gets a number
// above the counter's value at the start: an added animal as its id, any other change as its position in the feed. So one short
// transaction at the end, which reads what has such a number, gives everything as it is at that moment.
import type { Database } from "bun:sqlite";
import {
	setImmediate as nextIteration,
	setTimeout as sleep,
} from "node:timers/promises";
import { OperatorError } from "../../../domain/errors.ts";
import type { StoredPet } from "../../../domain/pet.ts";
import { clockStepMs } from "../../../limits.ts";
import {
	type ArchivedTable,
	archivedTables,
	archiveRows,
	type OnlineOptions,
	type Part,
} from "../../archive/archive.ts";
import {
	type ArchiveSource,
	countPets,
	readCounters,
	readPets,
	readRemovedIds,
	readTable,
} from "../../archive/read.ts";
import {
	type EngineRow,
	type Row,
	tables,
	toRow,
	toSelected,
} from "../../archive/tables.ts";
import { petColumns } from "../../rows.ts";
import { readEpoch } from "../feed/epoch.ts";
import { toSource } from "./export.ts";

/** Changes that are read at once while a backup catches up, each with its animal. */
const archiveChanges = 100;

export async function* readOnline(
	db: Database,
	{ pauseMs = 0 }: OnlineOptions = {},
): AsyncGenerator<Part> {
	const start = { at: Date.now(), ...readEpoch(db) };
	const progress: Progress = { petId: 0n, position: start.lastId };
	const pause = () => (pauseMs > 0 ? sleep(pauseMs) : nextIteration());
	const source = toSource(db);
	yield* readCounters(source);
	const slices = [
		...largeTables.map((name) => readTable(source, name)),
		readRemovedIds(source),
		readNewer(db, source, progress),
	];
	for (const slice of slices)
		for await (const part of slice) {
			yield part;
			await pause();
		}
	yield* readRest(db, source, start, progress);
}

/** A transaction that reads all of these would be long. */
const largeTables: readonly ArchivedTable[] = ["idempotencyKeys", "usage"];

/** How far the reading is. */
interface Progress {
	/** The last animal that was read in its turn. */
	petId: bigint;
	/** The last change. */
	position: bigint;
}

interface Start {
	readonly at: number;
	readonly base: bigint;
	readonly lastId: bigint;
}

/** What came while the slices were read, in one transaction. It is short, since little comes while the last slices are read. */
async function* readRest(
	db: Database,
	source: ArchiveSource,
	start: Start,
	progress: Progress,
): AsyncGenerator<Part> {
	db.run("BEGIN");
	try {
		if (readEpoch(db).base !== start.base)
			throw new OperatorError(
				"The database was replaced while it was read; run the command again.",
			);
		yield* readNewer(db, source, progress);
		yield await countPets(source);
		yield* readNewerIdempotencyKeys(db, start);
		for (const name of archivedTables)
			if (!largeTables.includes(name)) yield* readTable(source, name);
		yield* readCounters(source);
	} finally {
		db.run("COMMIT");
	}
}

/** Animals in the order of their ids, and then changes in the order of the feed, from where the progress is. */
async function* readNewer(
	db: Database,
	source: ArchiveSource,
	progress: Progress,
): AsyncGenerator<Part> {
	for await (const part of readPets(source, progress.petId)) {
		progress.petId = part.rows.at(-1)?.id ?? progress.petId;
		yield part;
	}
	const page = db.query<ChangeRow, [bigint, number]>(
		`SELECT position, pet_id AS petId FROM changes WHERE position > ? ORDER BY position LIMIT ?`,
	);
	const getPet = db.query<StoredPet, [bigint]>(
		`SELECT ${petColumns} FROM pets WHERE id = ?`,
	);
	for (;;) {
		const rows = page.all(progress.position, archiveChanges);
		progress.position = rows.at(-1)?.position ?? progress.position;
		if (rows.length === 0) return;
		const found = rows.map(({ petId }) => ({ petId, pet: getPet.get(petId) }));
		yield {
			kind: "newerPets",
			rows: found.flatMap(({ pet }) => (pet === null ? [] : [pet])),
		};
		const removed = found.filter(({ pet }) => pet === null);
		yield { kind: "removedIds", rows: removed.map(({ petId }) => petId) };
	}
}

interface ChangeRow {
	readonly position: bigint;
	readonly petId: bigint;
}

/** An Idempotency-Key that was stored since the start belongs to an animal that was added since then. */
function* readNewerIdempotencyKeys(
	db: Database,
	{ at, lastId }: Start,
): Generator<Part> {
	const table = tables.idempotencyKeys;
	const found = db
		.query<EngineRow, [number, bigint]>(
			`SELECT ${toSelected(table)} FROM idempotency_keys WHERE used_at > ? AND pet_id > ?`,
		)
		.iterate(at - clockStepMs, lastId);
	let rows: Row[] = [];
	for (const row of found) {
		rows.push(toRow(table, row));
		if (rows.length < archiveRows) continue;
		yield { kind: "idempotencyKeys", rows };
		rows = [];
	}
	yield { kind: "idempotencyKeys", rows };
}
