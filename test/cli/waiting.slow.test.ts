// Commands that need a table or a file for themselves, and wait for it.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { Client } from "pg";
import { writerLock } from "../../src/store/postgres/connection.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { toPet } from "../harness/pet.ts";
import { petstore, run, start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { startMs } from "../service.ts";
import { type Engine, engines, newDatabase } from "../store/engines.ts";

const rex = toPet({});
const restored = { ...rex, name: "restored" };

let folder: ReturnType<typeof temporaryFolder>;
let backup: string;
beforeAll(async () => {
	folder = temporaryFolder();
	backup = `${folder.path}/backup.db`;
	writeFileSync(`${folder.path}/update.ndjson`, '{"id":1,"name":"Changed"}\n');
	const store = await openStore(`sqlite:${folder.path}/source.db`, {
		access: "create",
	});
	await store.catalogue.addPet({ pet: restored });
	await store.close();
	const source = `sqlite:${folder.path}/source.db`;
	await petstoreRun("backup", backup, "--database", source);
}, startMs);
afterAll(() => folder.remove());

const petstoreRun = (...args: string[]) => run(args, { cwd: folder.path });

/** Commands that write many rows beside a running service. */
const commands = {
	import: ["import", "update.ndjson", "--update"],
	restore: ["restore", "backup.db", "--replace", "--yes", "--folder", "made"],
} as const;
const rows = engines.flatMap((engine) =>
	(["import", "restore"] as const).map((name) => [engine, name] as const),
);

describe("Waiting for a lock", () => {
	test.each(rows)(
		"%s, %s: fails with a sentence if it waits too long, and changes nothing, and goes on when the lock is free",
		async (engine, name) => {
			await withStore(engine, async (store, url) => {
				await store.catalogue.addPet({ pet: rex });
				const release = await hold(engine, url);
				expect(await launch(name, url).finished).toMatchObject({
					status: 1,
					stderr: expect.stringMatching(
						/^petstore: .*nothing was (imported|restored).*\((database is locked|.*lock timeout)/im,
					),
				});
				expect(await store.catalogue.getPet(1n)).toMatchObject(rex);
				const running = launch(name, url);
				await Bun.sleep(500);
				await release();
				const { status, stderr } = await running.finished;
				expect([stderr, status]).toEqual([stderr, 0]);
			});
		},
	);
});

function launch(name: keyof typeof commands, url: string) {
	const env = { PETSTORE_DATABASE: url };
	return start([petstore, ...commands[name]], { cwd: folder.path, env });
}

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

async function withStore(
	engine: Engine,
	use: (store: Store, url: string) => Promise<void>,
): Promise<void> {
	const database = await newDatabase(engine);
	const store = await openStore(database.url, { access: "create" });
	try {
		await use(store, database.url);
	} finally {
		await store.close();
		await database.remove();
	}
}
