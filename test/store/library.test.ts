// Whether the SQLite of Bun is safe for a file, and what macOS needs besides.
import { describe, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { connect } from "../../src/store/sqlite/connection.ts";
import { requireSafeWal } from "../../src/store/sqlite/file.ts";
import { readPragma } from "../../src/store/sqlite/schema.ts";
import { root, start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

describe("the version of SQLite", () => {
	test.each([...["3.51.3", "3.100.0", "3.50.7", "3.44.6"]])(
		"uses SQLite %s for a file",
		(version) => {
			requireSafeWal(version);
		},
	);

	// Users of Bun have reported 3.37.0 and 3.43.2 on macOS.
	test.each([...["3.43.2", "3.44.5", "3.45.0", "3.50.6", "3.51.2", ""]])(
		"refuses SQLite %p for a file",
		(version) => {
			expect(() => requireSafeWal(version)).toThrow(
				`SQLite ${version} can lose committed writes`,
			);
		},
	);
});

test("a start refuses an unsafe SQLite, and creates no file", async () => {
	using folder = temporaryFolder();
	const preload = `${folder.path}/preload.ts`;
	writeFileSync(
		preload,
		`import { Database } from "bun:sqlite";
		const { query } = Database.prototype;
		Database.prototype.query = function (sql) {
			return query.call(this, sql.replace("sqlite_version()", "'3.43.2'"));
		};`,
	);
	const main = `${root}src/cli/main.ts`;
	const command = [process.execPath, "--preload", preload, main] as const;
	const { status, stderr } = await start([...command, "serve", "--port=0"], {
		cwd: folder.path,
	}).finished;
	expect([status, stderr]).toEqual([1, expect.stringContaining("3.43.2")]);
	expect(readdirSync(folder.path)).toEqual(["preload.ts"]);
});

describe("commits and checkpoints", () => {
	test.each([
		["darwin", 1],
		["linux", 0],
	] as const)("sets fullfsync on %s to %d", (platform, expected) => {
		const db = connect(":memory:", platform);
		expect(readPragma(db, "synchronous")).toBe(2);
		expect(readPragma(db, "fullfsync")).toBe(expected);
		expect(readPragma(db, "checkpoint_fullfsync")).toBe(expected);
		db.close();
	});
});
