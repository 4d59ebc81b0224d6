// Commands that write many rows beside a running service wait for its lock.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { Client } from "pg";
import { writerLock } from "../../src/store/postgres/connection.ts";
import { openStore } from "../../src/store/store.ts";
import { rex } from "../harness/pet.ts";
import { type Engine, engines, newDatabase } from "../store/engines.ts";
import { usePlace } from "./place.ts";

const place = usePlace();

test.each(engines)(
	"%s: imports and restores fail with a sentence if they wait too long, and change nothing, and go on when the lock is free",
	async (engine) => {
		const database = await newDatabase(engine);
		const env = { PETSTORE_DATABASE: database.url };
		const store = await openStore(database.url, { access: "create" });
		await store.catalogue.addPet({ pet: rex });
		await place.run("backup backup.db", env);
		writeFileSync(place.path("new.ndjson"), '{"name":"New","categoryId":1}\n');
		for (const command of [
			"import new.ndjson",
			"restore backup.db --replace --yes --folder made",
		]) {
			const before = await store.feed.last();
			const release = await hold(engine, database.url);
			expect(await place.run(command, env)).toMatchObject({
				status: 1,
				stderr: expect.stringMatching(
					/^petstore: .*nothing was (imported|restored).*\((database is locked|.*lock timeout)/im,
				),
			});
			expect(await store.feed.last()).toBe(before);
			const running = place.start(command, env);
			await Bun.sleep(500);
			await release();
			const { status, stderr } = await running.finished;
			expect([stderr, status]).toEqual([stderr, 0]);
		}
		await store.close();
		await database.remove();
	},
	60_000,
);

/** Holds the lock of all writers. */
async function hold(engine: Engine, url: string): Promise<() => Promise<void>> {
	if (engine === "sqlite") {
		const db = new Database(url.slice("sqlite:".length));
		db.run("BEGIN IMMEDIATE");
		return async () => {
			db.run("ROLLBACK");
			db.close();
		};
	}
	const client = new Client({ connectionString: url });
	await client.connect();
	await client.query(`BEGIN; SELECT ${writerLock}`);
	return () => client.end();
}
