// Adds the animals of a staging file to PostgreSQL, in one transaction.
import type { Client, ClientBase } from "pg";
import { StoreFailure, storeWroteNothing } from "../../../domain/errors.ts";
import { maxInt64 } from "../../../domain/json.ts";
import {
	type FinishedImport,
	findImport,
	type Imported,
	type ImportOptions,
	type Imports,
	maxToldErrors,
	requireIds,
	type Staged,
	type StagedPet,
	type Taken,
	type TakenId,
} from "../../import.ts";
import { withLongConnection } from "../connections/connection.ts";
import { type Queryable, query, toSql } from "../database.ts";
import { readLastId, setLastId } from "../feed/epoch.ts";
import { withStandIns } from "./older-schema.ts";
import { beginLocked, lockTables } from "./table-lock.ts";

export function openImports(url: string): Imports {
	return {
		...readImports(url),
		write: (staged, options) =>
			withLongConnection(url, "write", (client) =>
				addAll(client, staged, options),
			),
	};
}

export function readImports(url: string): Omit<Imports, "write"> {
	return {
		find: (importId) =>
			withLongConnection(url, "read", async (client) =>
				findImport(toSql(await withStandIns(client)), importId),
			),
		findTaken: (staged) =>
			withLongConnection(url, "read", async (client) =>
				findTaken(await withStandIns(client), staged),
			),
	};
}

async function addAll(
	client: Client,
	staged: Staged,
	options: ImportOptions,
): Promise<Imported> {
	const { signal } = options;
	// Ends the query that runs now. Without a COMMIT, PostgreSQL keeps nothing.
	const end = () => client.end().catch(() => {});
	signal.addEventListener("abort", end);
	try {
		const refused = await addUncommitted(client, staged, options);
		if (refused !== undefined) return refused;
		signal.throwIfAborted();
	} catch (error) {
		signal.throwIfAborted();
		throw error instanceof StoreFailure
			? storeWroteNothing(error.cause)
			: error;
	} finally {
		signal.removeEventListener("abort", end);
	}
	await query(client, "COMMIT");
	return { outcome: "added" };
}

async function addUncommitted(
	client: ClientBase,
	staged: Staged,
	options: ImportOptions,
): Promise<Imported | undefined> {
	const { importId, keepIds } = options;
	let finished: FinishedImport | undefined;
	await beginLocked(
		client,
		async () => {
			// It waits for adds that have drawn an id, and lets no other draw one until the sequence is above the ids that are kept.
			if (keepIds) await lockTables(client, ["petstore.pets"]);
			if (importId !== undefined)
				finished = await claimImport(client, importId, staged.count());
		},
		options,
	);
	if (finished !== undefined) return { outcome: "repeated", ...finished };
	// Before it draws from the sequence: a reader of the feed waits for the transactions that are older than what it sees.
	await query(client, "SELECT pg_current_xact_id()");
	return keepIds
		? addWithIds(client, staged, options)
		: addWithNewIds(client, staged, options);
}

/** Waits for another import with the same id. Returns what it has added, or stores this one. */
async function claimImport(
	client: ClientBase,
	importId: string,
	animals: number,
): Promise<FinishedImport | undefined> {
	const claimed = await query(
		client,
		`INSERT INTO petstore.imports (id, animals, finished_at) VALUES ($1, $2, $3)
		ON CONFLICT DO NOTHING RETURNING id`,
		[importId, animals, Date.now()],
	);
	return claimed.length > 0 ? undefined : findImport(toSql(client), importId);
}

async function addWithNewIds(
	client: ClientBase,
	staged: Staged,
	options: ImportOptions,
): Promise<undefined> {
	requireIds(await readLastId(client), BigInt(staged.count()));
	await insertAll(client, staged, options, "nextval('petstore.pet_ids')");
}

async function addWithIds(
	client: ClientBase,
	staged: Staged,
	options: ImportOptions,
): Promise<Imported | undefined> {
	const taken = await findTaken(client, staged);
	if (taken.count > 0) return { outcome: "taken", ...taken };
	const ids = staged.ids();
	if (ids === undefined) return undefined;
	const before = await readLastId(client);
	const late = ids.min <= before ? countUpTo(staged, before) : 0n;
	const lastId = before > ids.max ? before : ids.max;
	requireIds(lastId, late);
	await insertAll(client, staged, options, "id");
	options.signal.throwIfAborted();
	await setLastId(client, lastId);
	if (late > 0n) await addChanges(client, staged, before);
	return undefined;
}

function countUpTo(staged: Staged, last: bigint): bigint {
	let count = 0n;
	for (const pets of staged.read()) count += BigInt(toIds(pets, last).length);
	return count;
}

function toIds(pets: readonly StagedPet[], last = maxInt64): bigint[] {
	return pets.flatMap(({ id }) => (id !== null && id <= last ? [id] : []));
}

/** A reader of the feed that is past the id of an added animal would miss it, so it gets a position of its own. */
async function addChanges(
	client: ClientBase,
	staged: Staged,
	before: bigint,
): Promise<void> {
	for (const pets of staged.read())
		await query(
			client,
			`WITH late AS (
				INSERT INTO petstore.changes (position, pet_id, kind)
				SELECT nextval('petstore.pet_ids'), id, 'added' FROM unnest($1::int8[]) AS late (id) RETURNING position, pet_id
			)
			UPDATE petstore.pets SET version = position FROM late WHERE id = pet_id`,
			[toIds(pets, before)],
		);
}

async function insertAll(
	client: ClientBase,
	staged: Staged,
	{ onProgress, signal }: ImportOptions,
	id: string,
): Promise<void> {
	const addedAt = Date.now();
	let count = 0;
	for (const pets of staged.read()) {
		signal.throwIfAborted();
		await query(
			client,
			`INSERT INTO petstore.pets (id, name, category_id, status, added_at)
			SELECT ${id}, name, category_id, status, ${addedAt}
			FROM unnest($1::int8[], $2::text[], $3::int8[], $4::text[]) AS staged (id, name, category_id, status)`,
			[
				pets.map(({ id }) => id),
				pets.map(({ name }) => name),
				pets.map(({ categoryId }) => categoryId),
				pets.map(({ status }) => status),
			],
		);
		count += pets.length;
		onProgress(count);
	}
}

async function findTaken(db: Queryable, staged: Staged): Promise<Taken> {
	let count = 0;
	const first: TakenId[] = [];
	for (const pets of staged.read()) {
		const rows = await query<{ id: string; isRemoved: boolean }>(
			db,
			`SELECT id, false AS "isRemoved" FROM petstore.pets WHERE id = ANY ($1::int8[])
			UNION ALL SELECT pet_id, true FROM petstore.changes WHERE pet_id = ANY ($1::int8[]) AND kind = 'removed'`,
			[toIds(pets)],
		);
		count += rows.length;
		if (rows.length === 0 || first.length === maxToldErrors) continue;
		const removed = new Map(rows.map((row) => [BigInt(row.id), row.isRemoved]));
		for (const { line, id } of pets) {
			const isRemoved = id === null ? undefined : removed.get(id);
			if (id !== null && isRemoved !== undefined)
				if (first.length < maxToldErrors) first.push({ line, id, isRemoved });
		}
	}
	return { count, first };
}
