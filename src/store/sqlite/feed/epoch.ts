// Reads and sets the id of the catalogue, its counters, and the base of its feed.
import type { Database } from "bun:sqlite";
import type { Epoch } from "../../archive/archive.ts";
import type { Sql } from "../../archive/tables.ts";
import type { Horizon } from "../../feed.ts";

export function readEpoch(db: Database): Epoch {
	const row = db
		.query<{ id: string | null; base: string }, []>(
			"SELECT id, feed_base AS base FROM catalogue",
		)
		.get();
	return {
		id: row?.id ?? "",
		base: BigInt(row?.base ?? 0),
		lastId: readLastId(db),
		lastKeyId: readLastValue(db, "keys"),
	};
}

/** The counter that ids and the positions of the feed come from. */
export function readLastId(db: Database): bigint {
	return readLastValue(db, "pets");
}

/** Positions are in the order of commits, so the feed may be read up to the last one. */
export async function readHorizon(sql: Sql): Promise<Horizon> {
	const [row] = await sql(
		`SELECT feed_base AS base, (SELECT seq FROM sqlite_sequence WHERE name = 'pets') AS last FROM petstore.catalogue`,
	);
	const last = BigInt(row?.last ?? 0);
	return { base: BigInt(row?.base ?? 0), last, safe: last };
}

export function setEpoch(
	db: Database,
	{ id, base, lastId, lastKeyId }: Epoch,
): void {
	db.run("UPDATE catalogue SET id = ?, feed_base = ?, backed_up_at = NULL", [
		id,
		`${base}`,
	]);
	setLastId(db, lastId);
	setLastValue(db, "keys", lastKeyId);
}

export function setLastId(db: Database, lastId: bigint): void {
	setLastValue(db, "pets", lastId);
}

type Counted = "pets" | "keys";

function readLastValue(db: Database, table: Counted): bigint {
	return (
		db
			.query<{ seq: bigint }, [Counted]>(
				"SELECT seq FROM sqlite_sequence WHERE name = ?",
			)
			.get(table)?.seq ?? 0n
	);
}

/** SQLite creates the row with the first animal or key, so it may be missing. */
function setLastValue(db: Database, table: Counted, last: bigint): void {
	db.run("DELETE FROM sqlite_sequence WHERE name = ?", [table]);
	db.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [
		table,
		last,
	]);
}
