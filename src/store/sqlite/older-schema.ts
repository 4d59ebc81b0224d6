// Lets commands read a file of an older schema like one of the newest, without a change in it: temporary views of the connection stand for
// what the file does not have yet.
import type { Database } from "bun:sqlite";
import { type StandIns, toStandIns } from "../older-schema.ts";
import { durationColumns } from "../usage-rows.ts";

/** A view hides the table of the same name. Must be called before the connection may only read. */
export function addViews(db: Database, version: number): void {
	for (const [name, sql] of toStandIns(standIns, version))
		db.run(`CREATE TEMP VIEW ${name} AS ${sql}`);
}

/** The first schema with the feed of changes. */
export const feedSchema = 4;

export const standIns: StandIns = [
	{},
	{},
	{
		key_secrets: "SELECT hash, id AS key_id, NULL AS expires_at FROM main.keys",
		sessions:
			"SELECT '' AS hash, NULL AS secret_hash, 0 AS created_at, 0 AS last_used_at WHERE false",
		usage: `SELECT '' AS period, 0 AS starts_at, '' AS key, '' AS operation, 0 AS status, 0 AS requests,
			${durationColumns.map((column) => `0 AS ${column}`).join(", ")} WHERE false`,
	},
	{
		pets: "SELECT id, name, category_id, status, NULL AS version, NULL AS added_at, NULL AS added_by FROM main.pets",
		changes: "SELECT 0 AS position, 0 AS pet_id, '' AS kind WHERE false",
		imports: "SELECT '' AS id, 0 AS animals, 0 AS finished_at WHERE false",
		catalogue: "SELECT NULL AS id, '0' AS feed_base",
	},
	{
		catalogue:
			"SELECT NULL AS id, CAST(base AS TEXT) AS feed_base FROM main.feed",
	},
	{
		pets: `SELECT pets.id, name, category_id, status, position AS version, NULL AS added_at, NULL AS added_by
			FROM main.pets AS pets LEFT JOIN main.changes ON pet_id = pets.id`,
	},
];
