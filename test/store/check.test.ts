// What the check of a database finds, on both engines in the same words. test/cli/backup.test.ts has the command, and damaged pages.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { byCommandLine } from "../../src/domain/access/author.ts";
import { OperatorError } from "../../src/domain/errors.ts";
import { openBackupFile } from "../../src/store/sqlite/backup-file.ts";
import { openStore } from "../../src/store/store.ts";
import { makeKey } from "../harness/key.ts";
import { rex } from "../harness/pet.ts";
import { execute } from "../harness/postgres/server.ts";
import { temporaryDatabase } from "../harness/temporary.ts";
import { startMs } from "../service.ts";
import {
	engines,
	isFile,
	newDatabase,
	type Database as Owned,
	toPath,
} from "./engines.ts";

describe.each(engines)("%s", (engine) => {
	let database: Owned;
	beforeEach(async () => {
		database = await newDatabase(engine);
		await fill(database.url);
	}, startMs);
	afterEach(() => database.remove());
	const damage = (...statements: readonly string[]) =>
		change(database.url, statements);
	const findings = async () => (await check(database.url)).findings;

	describe("Check", () => {
		test("finds rows that do not fit together", async () => {
			expect(await findings()).toEqual([]);
			await damage(
				"UPDATE idempotency_keys SET pet_id = 98",
				"INSERT INTO counts VALUES (1, 'available', 2)",
				"UPDATE counter SET sold = 4",
				"INSERT INTO history (position, pet_id, kind, edit) VALUES (99, 2, 'added', 95)",
				"UPDATE pets SET version = 99 WHERE id = 1",
				"INSERT INTO changes VALUES (1, 1, 'changed')",
				"INSERT INTO changes VALUES (2, 2, 'removed')",
				"INSERT INTO changes VALUES (7, 97, 'changed')",
			);
			expect(await findings()).toEqual([
				"animal 1: its id or version was never assigned.",
				"animal 1: its version differs from its position in the feed.",
				"feed: animal 2 was removed, but still exists.",
				"feed: animal 7 was added or changed, but is missing.",
				"feed: position 97 was never assigned.",
				"history: position 99 was never assigned.",
				"history: the edit of position 99 is missing.",
				"an Idempotency-Key: the id 98 of its animal was never assigned.",
				"category 1: the number of its animals is wrong.",
				"status sold: the number of its animals is wrong by 4.",
			]);
		});

		test("finds a counter that went back, and a missing row of the catalogue", async () => {
			await damage("UPDATE counter SET last = 1", "DELETE FROM catalogue");
			expect(await findings()).toEqual([
				"catalogue: expected 1 row, found 0.",
				"animal 2: its id or version was never assigned.",
				"animal 3: its id or version was never assigned.",
			]);
		});

		test("counts all problems, and lists the first 100", async () => {
			await damage(
				`INSERT INTO changes WITH RECURSIVE n(i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < 153) SELECT i, i, 'changed' FROM n`,
			);
			const found = await check(database.url);
			expect([found.problems, found.findings.length]).toEqual([300, 100]);
		});

		test("finds a cycle of undos, and another undo ends in spite of it", async () => {
			const store = await openStore(database.url, { access: "write" });
			const undo = (id: bigint) =>
				store.edits.undo(
					{ id, authored: byCommandLine(), maxAnimals: 1 },
					new AbortController().signal,
				);
			await store.catalogue.changePets([{ petId: 1n, set: { name: "Max" } }]);
			const [edit] = await store.edits.list(9n, 1);
			const id = (await undo(edit?.id ?? 0n))?.edit.id ?? 0n;
			await damage(`UPDATE edits SET undoes = ${id} WHERE id = ${id}`);
			expect(await undo(id)).toBeDefined();
			expect(await findings()).toEqual([
				expect.stringContaining(`edit ${id}:`),
			]);
			await store.close();
		});

		test("finds a missing index, and a base that is no number", async () => {
			await damage(
				"DROP INDEX pets_sold",
				"UPDATE counter SET base = '1x' WHERE number = (SELECT max(number) FROM counter)",
			);
			expect(await findings()).toEqual([
				expect.stringContaining("pets_sold"),
				expect.stringMatching(/^counter: the base /),
			]);
		});

		test("finds a missing table", async () => {
			await damage("DROP TABLE sign_in_links");
			expect(await findings()).toEqual([
				expect.stringContaining("sign_in_links"),
			]);
		});
	});

	test("The schema refuses values that no code can use, and the check of SQLite finds them", async () => {
		for (const sql of refused)
			await expect(damage(sql)).rejects.toThrow(/check/i);
		if (engine === "postgres") return;
		await damage("PRAGMA ignore_check_constraints = ON", ...refused);
		const found = await findings();
		for (const table of tablesOf(refused))
			expect(found).toContain(`CHECK constraint failed in ${table}`);
	});
});

const endless =
	"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i AS id FROM n";

test.each([
	`DROP TABLE pets; CREATE VIEW pets AS ${endless}`,
	`CREATE VIEW more AS ${endless}`,
	"CREATE TABLE sqlite AS SELECT 1 AS one",
	"CREATE INDEX more ON pets (hex(name))",
	"CREATE TRIGGER more AFTER INSERT ON pets BEGIN DELETE FROM pets WHERE id = 1; END",
])(
	"The check and a restore refuse a file with something that is not ours before they read it: %s",
	async (statements) => {
		const { url, path, remove } = temporaryDatabase();
		await fill(url);
		await change(url, [statements]);
		const found = await check(url).catch((error) => error);
		if (!(found instanceof OperatorError)) expect(found.problems).toBe(1);
		expect(() => openBackupFile(path)).toThrow(OperatorError);
		remove();
	},
);

const refused = [
	"UPDATE pets SET status = 'lost' WHERE id = 1",
	`UPDATE pets SET name = '${"🐕".repeat(256)}' WHERE id = 1`,
	`INSERT INTO history (position, pet_id, kind, edit, version, name, category_id, status) VALUES (3, 1, 'changed', 1, 1, '${"x".repeat(256)}', 1, 'sold')`,
	`UPDATE pets SET name = '${"\u{1f600}".repeat(256)}' WHERE id = 1`,
	"UPDATE pets SET id = -1 WHERE id = 3",
	"UPDATE keys SET scope = 'all' WHERE id = 1",
	"INSERT INTO changes VALUES (1, 1, 'sold')",
	"INSERT INTO history (position, pet_id, kind, edit) VALUES (1, 1, 'changed', 1)",
	"INSERT INTO edits (id, at, author, kind, added, changed, removed) VALUES (2, 1, '', 'lost', 0, 1, 0)",
	"INSERT INTO categories VALUES (7, '', '')",
	"INSERT INTO imports VALUES ('x', -1, 1, 'x')",
	"INSERT INTO catalogue (one, id, last_key_id, backup_failures) VALUES (2, 'x', 1, 0)",
];

function tablesOf(statements: readonly string[]): readonly string[] {
	return statements.map((sql) => /(?:UPDATE|INTO) (\w+)/.exec(sql)?.[1] ?? "");
}

/** Three animals, and two keys. */
async function fill(url: string): Promise<void> {
	const store = await openStore(url, { access: "create" });
	const { hash } = await store.keys.add(makeKey().record);
	await store.keys.add(makeKey().record);
	const again = { owner: hash, key: "k", fingerprint: hash, at: Date.now() };
	await store.catalogue.addPet({ pet: rex, idempotency: again });
	for (let count = 0; count < 2; count++)
		await store.catalogue.addPet({ pet: rex });
	await store.close();
}

async function check(url: string) {
	const reader = await openStore(url, { access: "read" });
	return reader.check().finally(reader.close);
}

/** On PostgreSQL the statements need no name of the schema. */
async function change(
	url: string,
	statements: readonly string[],
): Promise<void> {
	if (!isFile(url))
		return execute(
			url,
			["SET search_path = petstore", ...statements].join(";\n"),
		);
	using db = new Database(toPath(url));
	for (const statement of statements) db.run(statement);
}
