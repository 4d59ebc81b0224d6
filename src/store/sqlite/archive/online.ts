// Reads an archive from SQLite without a long read transaction, which would keep the service from restarting the WAL.
//
// Animals are read in slices of different moments. Each add, change or removal after the first slice gets a number above the
// counter's value at the start: an added animal as its id, any other change as its position in the feed. A short transaction at the
// end reads the rows with these numbers. So all parts together are of that moment.
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
	readEpochPart,
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

/** A transaction that reads all of these would be long. */
const largeTables: readonly ArchivedTable[] = [
	"idempotencyKeys",
	"usage",
	"history",
];

export async function* readOnline(
	db: Database,
	{ pauseMs = 0 }: OnlineOptions = {},
): AsyncGenerator<Part> {
	const startedAt = Date.now();
	const { base, lastId } = readEpoch(db);
	const source = toSource(db);
	const readNewer = prepareNewer(db, source, lastId);
	yield await readEpochPart(source);
	const slices = [
		...largeTables.map((name) => readTable(source, name)),
		readRemovedIds(source),
		readNewer(),
	];
	for (const slice of slices)
		for await (const part of slice) {
			yield part;
			await (pauseMs > 0 ? sleep(pauseMs) : nextIteration());
		}
	// Short, since little changes while the last slices are read.
	db.run("BEGIN");
	try {
		if (readEpoch(db).base !== base)
			throw new OperatorError(
				"The database was replaced while it was read; run the command again.",
			);
		yield* readNewer();
		yield await countPets(source);
		yield* readNewerIdempotencyKeys(db, startedAt, lastId);
		yield* readTable(source, "history", { position: lastId });
		for (const name of archivedTables)
			if (!largeTables.includes(name)) yield* readTable(source, name);
		yield await readEpochPart(source);
	} finally {
		db.run("COMMIT");
	}
}

/** Each call reads on where the last one ended: animals in the order of their ids, and then changes in the order of the feed. */
function prepareNewer(
	db: Database,
	source: ArchiveSource,
	startPosition: bigint,
): () => AsyncGenerator<Part> {
	let petId = 0n;
	let position = startPosition;
	const page = db.query<{ position: bigint; petId: bigint }, [bigint, number]>(
		`SELECT position, pet_id AS petId FROM changes WHERE position > ? ORDER BY position LIMIT ?`,
	);
	const getPet = db.query<StoredPet, [bigint]>(
		`SELECT ${petColumns} FROM pets WHERE id = ?`,
	);
	return async function* () {
		for await (const part of readPets(source, petId)) {
			petId = part.rows.at(-1)?.id ?? petId;
			yield part;
		}
		for (;;) {
			const changed = page.all(position, archiveChanges);
			if (changed.length === 0) return;
			position = changed.at(-1)?.position ?? position;
			const rows: StoredPet[] = [];
			const removedIds: bigint[] = [];
			for (const { petId } of changed) {
				const pet = getPet.get(petId);
				if (pet === null) removedIds.push(petId);
				else rows.push(pet);
			}
			yield { kind: "newerPets", rows };
			yield { kind: "removedIds", rows: removedIds };
		}
	};
}

/** An Idempotency-Key that was stored since the start belongs to an animal that was added since then. */
function* readNewerIdempotencyKeys(
	db: Database,
	startedAt: number,
	lastId: bigint,
): Generator<Part> {
	const table = tables.idempotencyKeys;
	const found = db
		.query<EngineRow, [number, bigint]>(
			`SELECT ${toSelected(table)} FROM idempotency_keys WHERE used_at > ? AND pet_id > ?`,
		)
		.iterate(startedAt - clockStepMs, lastId);
	let rows: Row[] = [];
	for (const row of found) {
		rows.push(toRow(table, row));
		if (rows.length < archiveRows) continue;
		yield { kind: "idempotencyKeys", rows };
		rows = [];
	}
	yield { kind: "idempotencyKeys", rows };
}
