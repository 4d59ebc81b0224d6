// Reads and sets the id of the catalogue, its counters, and the base of its feed.
import type { Epoch } from "../../archive/archive.ts";
import { type Queryable, query, toStatements } from "../database.ts";

export async function readEpoch(db: Queryable): Promise<Epoch> {
	const [row] = await query<
		Record<"id" | "base" | "lastId" | "lastKeyId", string | null>
	>(db, statements.readEpoch);
	return {
		id: row?.id ?? "",
		base: BigInt(row?.base ?? 0),
		lastId: BigInt(row?.lastId ?? 0),
		lastKeyId: BigInt(row?.lastKeyId ?? 0),
	};
}

/** The counter that ids and the positions of the feed come from. */
export async function readLastId(db: Queryable): Promise<bigint> {
	const [row] = await query<{ last: string }>(db, lastValueOf(petIds));
	return BigInt(row?.last ?? 0);
}

export async function setEpoch(
	db: Queryable,
	{ id, base, lastId, lastKeyId }: Epoch,
): Promise<void> {
	const set =
		"UPDATE petstore.catalogue SET id = $1, feed_base = $2, backed_up_at = NULL";
	await query(db, set, [id, `${base}`]);
	await setLastId(db, lastId);
	await setLastValue(db, keyIds, lastKeyId);
}

function setLastId(db: Queryable, lastId: bigint): Promise<void> {
	return setLastValue(db, petIds, lastId);
}

/** As a part of the transaction, unlike `setval`. Other transactions wait for it before they draw a value. */
async function setLastValue(
	db: Queryable,
	sequence: string,
	last: bigint,
): Promise<void> {
	const value = last === 0n ? 1n : last;
	await query(db, `ALTER SEQUENCE ${sequence} RESTART WITH ${value}`);
	if (last > 0n) await query(db, `SELECT nextval('${sequence}')`);
}

function lastValueOf(sequence: string): string {
	return `SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END AS last FROM ${sequence}`;
}

const petIds = "petstore.pet_ids";
const keyIds = "petstore.keys_id_seq";

const statements = toStatements({
	readEpoch: `SELECT id, feed_base AS base, (${lastValueOf(petIds)}) AS "lastId", (${lastValueOf(keyIds)}) AS "lastKeyId"
		FROM petstore.catalogue`,
});

/**
 * The next id, or position in the feed. A transaction gets its xid before it draws a value, because PostgreSQL evaluates the condition of a
 * CASE first. The feed relies on that. The condition depends on no row, so it is evaluated once per statement.
 */
export const nextId =
	"CASE WHEN (SELECT pg_current_xact_id()) IS NOT NULL THEN nextval('petstore.pet_ids') END";
