// The data version: a number that changes with every commit. It can be read in two ways.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { connect, openDatabase } from "../../src/store/sqlite/database.ts";
import { openDataVersion } from "../../src/store/sqlite/files/data-version.ts";
import { findWalIndex } from "../../src/store/sqlite/files/wal-index.ts";
import { temporaryDatabase } from "../harness/temporary.ts";

let database: ReturnType<typeof temporaryDatabase>;
let db: Database;
beforeEach(() => {
	database = temporaryDatabase();
	db = openDatabase(database.path, true);
});
afterEach(() => {
	db.close();
	database.remove();
});

const addPet = (to: Database) =>
	to.run(
		"INSERT INTO pets (name, category_id, status) VALUES ('Rex', 1, 'sold')",
	);

describe.each([
	["the WAL index in shared memory", findWalIndex],
	[
		"PRAGMA data_version, without /proc",
		(db: Database, path: string) => findWalIndex(db, path, "/no-such-file"),
	],
])("read from %s", (_name, findIndex) => {
	test("changes with each commit of any connection, and only then", () => {
		const dataVersion = openDataVersion(database.path, findIndex);
		const other = new Database(database.path);
		let last = dataVersion.read();
		for (const writer of [db, other, db]) {
			expect(dataVersion.read()).toBe(last);
			addPet(writer);
			expect(dataVersion.read()).not.toBe(last);
			last = dataVersion.read();
		}
		other.run("BEGIN IMMEDIATE");
		addPet(other);
		expect(dataVersion.read()).toBe(last);
		other.run("COMMIT");
		expect(dataVersion.read()).not.toBe(last);
		other.close();
		dataVersion.close();
	});

	test("changes even while another connection reads an older snapshot", () => {
		const dataVersion = openDataVersion(database.path, findIndex);
		const reader = connect(database.path);
		reader.run("BEGIN");
		reader.query("SELECT * FROM pets").all();
		const before = dataVersion.read();
		addPet(db);
		expect(dataVersion.read()).not.toBe(before);
		reader.close();
		dataVersion.close();
	});

	test("throws after it was closed", () => {
		const dataVersion = openDataVersion(database.path, findIndex);
		dataVersion.read();
		dataVersion.close();
		expect(dataVersion.read).toThrow(/closed/i);
	});
});

test("finds the WAL index through a symbolic link", () => {
	const link = `${database.path}-link`;
	symlinkSync(database.path, link);
	const linked = connect(link);
	const index = findWalIndex(linked, link);
	const [, , changes] = index ?? [];
	addPet(db);
	expect(index?.[2]).not.toBe(changes);
	linked.close();
});

test("does not use the WAL index of another database", () => {
	const other = temporaryDatabase();
	const otherDb = openDatabase(other.path, true);
	// This process has a WAL index in memory, but for another path.
	expect(findWalIndex(otherDb, `${database.path}-none`)).toBeUndefined();
	otherDb.close();
	other.remove();
});
