// Copies of the databases in test/fixtures, which older versions have made.
import { Database } from "bun:sqlite";
import { copyFileSync, readFileSync } from "node:fs";
import { execute, startPostgres } from "../harness/postgres/server.ts";
import { root } from "../harness/process.ts";
import { type Engine, newDatabase, type Database as Owned } from "./engines.ts";

export const fixtures = ["0.1.0", "schema-4"] as const;
export type Fixture = (typeof fixtures)[number];

/** A copy whose Idempotency-Keys were used just now, since the service keeps them for a day. */
export async function loadFixture(
	engine: Engine,
	name: Fixture,
	usedAt = Date.now(),
): Promise<Owned> {
	const database = await newDatabase(engine);
	const fixture = toFixture(name);
	const refresh = `idempotency_keys SET used_at = ${usedAt}`;
	if (engine === "sqlite") {
		copyFileSync(`${fixture}.db`, toPath(database.url));
		change(database.url, `UPDATE ${refresh}`);
	} else {
		await execute(database.url, readFileSync(`${fixture}.sql`, "utf8"));
		await execute(database.url, `UPDATE petstore.${refresh}`);
	}
	return database;
}

function toFixture(name: Fixture): string {
	return `${root}test/fixtures/${name}/petstore`;
}

/** On a server of its own: a long transaction delays the feeds of all databases of a server. */
export async function loadOnOwnServer(name: Fixture): Promise<Owned> {
	const { url, remove } = await startPostgres();
	await execute(url, readFileSync(`${toFixture(name)}.sql`, "utf8"));
	return { url, remove };
}

/** In a SQLite file. */
export function change(url: string, sql: string): void {
	const db = new Database(toPath(url));
	db.run(sql);
	db.close();
}

export function isFile(url: string): boolean {
	return url.startsWith("sqlite:");
}

export function toPath(url: string): string {
	return url.slice("sqlite:".length);
}
