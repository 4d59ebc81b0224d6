// Which SQLite is used on each platform, whether it is safe for a file, and what macOS needs besides.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { configure } from "../../src/store/sqlite/database.ts";
import {
	findLibrary,
	requireSafeWal,
} from "../../src/store/sqlite/files/library.ts";
import { readPragma } from "../../src/store/sqlite/schema.ts";

describe("SQLite on macOS", () => {
	test.each([
		...["3.51.3", "3.53.4", "3.100.0", "4.0.0"],
		...["3.50.7", "3.50.12", "3.44.6"],
	])("uses SQLite %s for a file", (version) => {
		requireSafeWal(version, "darwin");
		requireSafeWal(version, "linux");
	});

	// Users of Bun have reported 3.37.0 and 3.43.2 on macOS.
	test.each([
		...["3.37.0", "3.39.5", "3.43.2", "3.44.5", "3.45.0"],
		...["3.50.4", "3.50.6", "3.51.0", "3.51.2", ""],
	])("refuses SQLite %p for a file, and says what works", (version) => {
		expect(() => requireSafeWal(version, "darwin")).toThrow("brew install");
		expect(() => requireSafeWal(version, "linux")).toThrow("npm ci");
	});

	test("uses the SQLite of Homebrew for the processor", () => {
		const arm = "/opt/homebrew/opt/sqlite/lib/libsqlite3.dylib";
		const intel = "/usr/local/opt/sqlite/lib/libsqlite3.dylib";
		expect(findLibrary("darwin", "arm64")).toBe(arm);
		expect(findLibrary("darwin", "x64")).toBe(intel);
		expect(findLibrary("linux", "x64")).toBeUndefined();
		expect(findLibrary("win32", "x64")).toBeUndefined();
	});
});

describe("commits and checkpoints", () => {
	test.each([
		["darwin", 1],
		["linux", 0],
		["win32", 0],
	])("sets fullfsync on %s to %d", (platform, expected) => {
		const db = new Database(":memory:");
		configure(db, platform);
		expect(readPragma(db, "synchronous")).toBe(2);
		expect(readPragma(db, "fullfsync")).toBe(expected);
		expect(readPragma(db, "checkpoint_fullfsync")).toBe(expected);
		db.close();
	});
});
