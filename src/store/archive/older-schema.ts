// Lets commands that only read use a database of an older schema: queries replace the tables that it lacks.
import { type TableName, tables, toSqlName } from "./tables.ts";

/** An older database knows nothing of its backups. */
const noBackups = toNulls(
	"backed_up_at",
	"backup_failures",
	"backup_failure",
	"backup_until",
);

/** For each migration: queries that replace the tables it adds or changes, in a database without it. */
export const standIns: readonly Readonly<Partial<Record<TableName, string>>>[] =
	[
		{},
		{
			keySecrets:
				"SELECT hash, id AS key_id, CAST(NULL AS int8) AS expires_at FROM petstore.keys",
			sessions: toEmpty("sessions"),
			signInLinks: toEmpty("signInLinks"),
			usage: toEmpty("usage"),
		},
		{
			pets: `SELECT id, name, category_id, status, ${toNulls("version", "added_at", "added_by")} FROM petstore.pets`,
			changes: toEmpty("changes"),
			imports: toEmpty("imports"),
			catalogue: `SELECT NULL AS id, '0' AS feed_base, ${noBackups}`,
		},
		{
			catalogue: `SELECT NULL AS id, CAST(base AS text) AS feed_base, ${noBackups} FROM petstore.feed`,
		},
		{
			pets: `SELECT pets.id, name, category_id, status, position AS version, ${toNulls("added_at", "added_by")}
			FROM petstore.pets LEFT JOIN petstore.changes ON pet_id = pets.id`,
		},
		{
			catalogue: `SELECT id, feed_base, ${noBackups} FROM petstore.catalogue`,
			history: toEmpty("history"),
			categories: toEmpty("categories"),
			sessions:
				"SELECT hash, secret_hash, CAST(NULL AS text) AS name, created_at, last_used_at FROM petstore.sessions",
			signInLinks:
				"SELECT hash, expires_at, CAST(NULL AS text) AS name FROM petstore.sign_in_links",
			imports:
				"SELECT id, animals, finished_at, CAST(NULL AS text) AS content_hash FROM petstore.imports",
		},
		{},
	];

/** By table name, for a database that lacks the last `missing` migrations. For one table, the earliest migration counts. */
export function toStandIns(missing: number): ReadonlyMap<string, string> {
	const last = missing === 0 ? [] : standIns.slice(-missing).toReversed();
	return new Map(
		last
			.flatMap((tables) => Object.entries(tables))
			.map(([name, sql]) => [toSqlName(name), sql]),
	);
}

function toEmpty(name: TableName): string {
	const columns = Object.entries(tables[name].columns).map(
		([column, kind]) =>
			`CAST(NULL AS ${kind === "text" ? "text" : "int8"}) AS ${toSqlName(column)}`,
	);
	return `SELECT ${columns.join(", ")} WHERE false`;
}

function toNulls(...columns: readonly string[]): string {
	return columns.map((column) => `CAST(NULL AS int8) AS ${column}`).join(", ");
}
