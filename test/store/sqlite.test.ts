// What only the SQLite engine does.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../src/store/sqlite/connection.ts";
import { openWal } from "../../src/store/sqlite/wal.ts";
import { openStore } from "../../src/store/store.ts";
import { rex } from "../harness/pet.ts";
import { temporaryDatabase, temporaryFolder } from "../harness/temporary.ts";
import { expectError, openService, type Service } from "../service.ts";
import { openNewStore, toPath } from "./engines.ts";

describe("the database file", () => {
	test("gives only the owner access to the database file, its WAL and a new folder, and changes no other folder", async () => {
		using folder = temporaryFolder();
		chmodSync(folder.path, 0o755);
		const path = join(folder.path, "deep", "data", "petstore.db");
		const store = await openStore(`sqlite:${path}`, { access: "create" });
		await store.catalogue.addPet({ pet: rex });
		const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
		expect(mode(folder.path)).toBe("755");
		expect(mode(join(folder.path, "deep"))).toBe("700");
		expect(mode(join(folder.path, "deep", "data"))).toBe("700");
		expect(mode(path)).toBe("600");
		expect(mode(`${path}-wal`)).toBe("600");
		await store.close();
	});

	test("refuses a file that is not a database without changing it", async () => {
		const { url, path, remove } = temporaryDatabase();
		const letter = "a letter to my cat\n".repeat(100);
		writeFileSync(path, letter);
		await expect(openStore(url, { access: "create" })).rejects.toThrow(
			/not a database/,
		);
		expect(readFileSync(path, "utf8")).toBe(letter);
		remove();
	});

	test("cuts the WAL to 8 MiB after the reader that prevented checkpoints has ended", async () => {
		await using store = await openNewStore("sqlite");
		const path = toPath(store.url);
		const size = () => statSync(`${path}-wal`).size;
		const add = async (count: number) => {
			for (let added = 0; added < count; added++)
				await store.catalogue.addPet({ pet: rex });
		};
		await add(1);
		const reader = new Database(path);
		reader.run("BEGIN");
		reader.query("SELECT * FROM pets").all();
		await add(1_200);
		expect(size()).toBeGreaterThan(9 * 1024 * 1024);
		reader.close();
		await add(50);
		expect(size()).toBeLessThan(9 * 1024 * 1024);
	});

	test.each([
		["a long WAL at once", false],
		["that of long work beside the service", true],
	])("checkpoints %s, and completely", async (_what, isServing) => {
		const { path, remove } = temporaryDatabase();
		const db = openDatabase(path, "create");
		const ignore = () => {};
		const wal = openWal(db, path, isServing, ignore, ignore);
		const add = (count: number) => {
			db.run(
				`WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers LIMIT ${count})
				INSERT INTO pets (name, folded_name, category_id, status, version) SELECT '${"x".repeat(250)}', '', 1, 'sold', 1 FROM numbers`,
			);
			wal.checkpoint();
		};
		add(4_000);
		expect(walOf(db).checkpointed).toBe(0n);
		add(32_000);
		if (isServing) expect(walOf(db).checkpointed).toBe(0n);
		await wal.end();
		const { pages, checkpointed } = walOf(db);
		expect(checkpointed).toBe(pages);
		// The thread cuts it: the next commit would take 100 ms for that.
		expect(pages > 2_000n).toBe(!isServing);
		expect(statSync(`${path}-wal`).size === 0).toBe(isServing);
		db.close();
		remove();
	});
});

describe("When the store cannot answer", () => {
	test("answers 503 to lists and /readyz, and 200 to /healthz, after the file was destroyed", async () => {
		await using service = await openService("in process");
		// A commit of another connection makes the service's connection drop its cached pages.
		const other = new Database(pathOf(service));
		other.run("DELETE FROM imports");
		other.close();
		writeFileSync(pathOf(service), "x".repeat(100_000));
		await expectError(await service.call("/v1/pets"), "unavailable");
		await expectError(await service.call("/readyz"), "unavailable");
		expect((await service.call("/healthz")).status).toBe(200);
	});
});

describe("Errors", () => {
	test("logs an unexpected error in full, and replies only that the service failed", async () => {
		await using service = await openService("in process");
		const other = new Database(pathOf(service));
		other.run("DROP TABLE pets");
		other.close();
		const response = await service.call("/v1/pets");
		const requestId = response.headers.get("X-Request-Id");
		expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
		expect(service.log).toMatchObject([
			{ requestId, err: expect.stringMatching(/no such table/) },
		]);
		await expectError(response, "internal", /^The service failed\.$/);
	});
});

function pathOf({ databaseUrl }: Service): string {
	return databaseUrl.replace("sqlite:", "");
}

/** The pages in the WAL, and how many of them are checkpointed. */
function walOf(db: Database): { pages: bigint; checkpointed: bigint } {
	const [[, pages, checkpointed] = []] = db
		.query<never, []>("PRAGMA wal_checkpoint(NOOP)")
		.values();
	return {
		pages: BigInt(Number(pages)),
		checkpointed: BigInt(Number(checkpointed)),
	};
}
