// The commands for animals, and the status of a database, on files of their own.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import manifest from "../../package.json" with { type: "json" };
import { cutTo, toPrintable } from "../../src/cli/terminal/table.ts";
import { openStore } from "../../src/store/store.ts";
import { makeKey } from "../harness/key.ts";
import { toPet } from "../harness/pet.ts";
import { startProxy } from "../harness/postgres/proxy.ts";
import { createDatabase } from "../harness/postgres/server.ts";
import { petstore as bin, run } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { startMs } from "../service.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
	folder = temporaryFolder();
});
afterAll(() => folder.remove());

test.each([
	[
		"INTO pets",
		["pets", "add", "--name", "Rex", "--category-id", "1"],
		"animal was added",
		"Look for it in the list",
	],
	[
		"INTO keys",
		["keys", "create", "--name", "Ada"],
		"key was made",
		"revoke it: its secret is lost",
	],
] as const)(
	"says that it may have been done if the answer of PostgreSQL to %s is lost",
	async (statement, args, done, next) => {
		const database = await createDatabase();
		const store = await openStore(database.url, { access: "create" });
		await store.keys.add(makeKey().record);
		await store.close();
		const proxy = await startProxy(database.url);
		proxy.dropReplyTo(statement);
		const { status, stdout, stderr } = await run(
			[...args, "--database", proxy.url],
			{ cwd: folder.path },
		);
		expect([status, stdout]).toEqual([1, ""]);
		expect(stderr).toMatch(
			new RegExp(
				`^petstore: It is not known whether the ${done}.*${next}.*\n$`,
			),
		);
		proxy.close();
		await database.remove();
	},
	startMs,
);

describe.each(["sqlite", "postgres"] as const)("%s", (engine) => {
	let database: { url: string; remove: () => void | Promise<void> };
	beforeAll(async () => {
		database =
			engine === "postgres"
				? await createDatabase()
				: { url: `sqlite:${folder.path}/pets.db`, remove: () => {} };
		const store = await openStore(database.url, { access: "create" });
		await store.close();
	}, startMs);
	afterAll(() => database.remove());

	const petstore = (...args: string[]) =>
		run([...args, "--database", database.url], { cwd: folder.path });

	test("adds, reads, changes, finds, counts and removes animals with exact numbers", async () => {
		const max = "9223372036854775807";
		const added = await petstore(
			...["pets", "add", "--name", "Rex", "--category-id", max],
		);
		expect(added).toMatchObject({ status: 0, stdout: "1\n" });
		const changed = await petstore(
			...["pets", "change", "1", "--status", "sold", "--json"],
		);
		expect(changed.stdout).toMatch(
			/^\{"id":1,"name":"Rex","categoryId":9223372036854775807,"status":"sold","version":2,"addedAt":"[^"]+","addedBy":\{"kind":"command line"\}\}\n$/,
		);
		const tom = await petstore(
			...["pets", "add", "--name", "Tom", "--category-id", "-2"],
			...["--status", "pending", "--json"],
		);
		// The change has taken a number from the counter of ids, as its position in the feed.
		expect(tom.stdout).toStartWith('{"id":3,"name":"Tom","categoryId":-2,');
		expect((await petstore("pets", "read", "3", "--json")).stdout).toBe(
			tom.stdout,
		);
		const read = await petstore("pets", "read", "1");
		expect(read.stdout).toMatch(/^name +Rex\n.*9223372036854775807\n/m);
		const found = await petstore("pets", "find");
		expect(found.stdout).toMatch(
			/\n 3 {2}Tom +-2 {2}pending .*\n 1 {2}Rex {3}9223372036854775807 {2}sold .*\n$/,
		);
		const named = await petstore("pets", "find", "--name", "TO", "--json");
		expect(named.stdout).toBe(`{"pets":[${tom.stdout.trim()}]}\n`);
		const none = await petstore("pets", "find", "--category-id", "3", "--json");
		expect(none.stdout).toBe('{"pets":[]}\n');
		const one = await petstore("pets", "find", "--limit", "1");
		expect(one.stdout).toContain("Tom");
		expect(one.stderr).toContain("More follow");
		const count = await petstore("pets", "count", "--status", "sold");
		expect(count.stdout).toBe("1\n");

		const stale = ["--version", "1"];
		for (const args of [
			["pets", "change", "1", "--name", "Max", ...stale],
			["pets", "remove", "1", ...stale],
		])
			expect(await petstore(...args)).toMatchObject({
				status: 1,
				stderr: expect.stringContaining("another version"),
			});
		for (const id of ["1", "3"])
			expect(await petstore("pets", "remove", id)).toMatchObject({ status: 0 });
		for (const verb of ["read", "remove"])
			expect(await petstore("pets", verb, "1")).toMatchObject({ status: 1 });
		expect(await petstore("pets", "find")).toMatchObject({
			status: 0,
			stdout: "",
		});
	}, 30_000);

	test("sets, lists and removes names of categories with any id", async () => {
		const max = "9223372036854775807";
		const set = (id: string, name: string) =>
			petstore("categories", "set", id, "--name", name);
		expect(await set("-5", "Big dogs")).toMatchObject({
			status: 0,
			stdout: "id    -5\nname  Big dogs\npets  0\n",
		});
		await set(max, "Cats");
		const taken = await set("1", "CATS");
		expect(taken).toMatchObject({
			status: 1,
			stderr: `petstore: Category ${max} has this name; case is ignored.\n`,
		});
		const { stdout: id } = await petstore(
			...["pets", "add", "--name", "Tom", "--category-id", max],
		);
		expect((await petstore("categories", "list")).stdout).toBe(
			`                 ID  NAME      PETS\n                 -5  Big dogs     0\n${max}  Cats         1\n`,
		);
		expect((await petstore("categories", "list", "--json")).stdout).toBe(
			`{"categories":[{"id":-5,"name":"Big dogs","pets":0},{"id":${max},"name":"Cats","pets":1}]}\n`,
		);
		await petstore("pets", "remove", id.trim());
		for (const one of ["-5", max])
			expect((await petstore("categories", "remove", one)).status).toBe(0);
		expect(await petstore("categories", "remove", max)).toMatchObject({
			status: 1,
			stderr: "petstore: The category has no name.\n",
		});
		expect(await petstore("categories", "list")).toMatchObject({
			stdout: "",
			stderr: "Nothing found.\n",
		});
	}, 30_000);

	test("history shows who changed what, and restore puts an earlier version back", async () => {
		const { stdout } = await petstore(
			...["pets", "add", "--name", "Old", "--category-id", "1"],
		);
		const id = stdout.trim();
		await petstore("pets", "change", id, "--name", "New", "--status", "sold");
		await petstore("pets", "remove", id);
		const shown = await petstore("history", "show", id);
		expect(shown.stdout.replaceAll(/\d{4}-\S+ \S+/g, "TIME")).toMatch(
			new RegExp(
				`TIME +${id}  removed  command line +\\d+ +\\d+  New\n` +
					`TIME +${id}  changed  command line +\\d+ +${id}  name Old → New, status available → sold\n` +
					`TIME +${id}  added +command line +Old\n$`,
			),
		);
		const restore = (animal: string, version: string) =>
			petstore("history", "restore", animal, "--version", version);
		const restored = await restore(id, id);
		expect(restored.stdout).toMatch(/^name +Old$/m);
		const all = await petstore(
			...["history", "list", "--json", "--limit", "1", "--by", "command line"],
		);
		expect(JSON.parse(all.stdout).entries).toMatchObject([
			{ kind: "added", by: { kind: "command line" }, pet: { name: "Old" } },
		]);
		const none = await petstore("history", "list", "--by", "nobody");
		expect(none.stderr).toBe("Nothing found.\n");
		expect(await restore(id, "999")).toMatchObject({
			status: 1,
			stderr: expect.stringContaining("no version 999"),
		});
		expect(await petstore("history", "show", "999")).toMatchObject({
			status: 1,
			stderr: expect.stringContaining("No animal"),
		});
		await petstore("pets", "remove", id);
	});

	test("status says what the database holds", async () => {
		const { stdout } = await petstore("status", "--json");
		const status = JSON.parse(stdout);
		expect(status).toMatchObject({
			version: manifest.version,
			engine,
			animals: 0,
			animalsByStatus: { available: 0, pending: 0, sold: 0 },
		});
		const lines = await petstore("status");
		expect(lines.stderr).toBe("");
		expect(lines.stdout).toMatch(/^animals +0$/m);
		expect(lines.stdout).toMatch(/^engine +(SQLite|PostgreSQL) \d+\.\d+/m);
	});
});

test.each(["read 1", "change 1 --name x", "remove 1"])(
	"pets %s creates no database",
	async (words) => {
		const args = `pets ${words} --database sqlite:none.db`.split(" ");
		const { status, stderr } = await run(args, { cwd: folder.path });
		expect(status).toBe(1);
		expect(stderr).toContain("No database");
	},
);

describe("on a terminal", () => {
	const database = () => `sqlite:${folder.path}/terminal.db`;
	const wide =
		"犬の名前はとても長いのでここで切られるはずです、そうでなければ表が崩れます";

	beforeAll(async () => {
		const store = await openStore(database(), { access: "create" });
		for (const name of ["Rex", wide, "x".repeat(255), "\u001b[2J\n\u202eexe"])
			await store.catalogue.addPet({
				pet: toPet({ name, categoryId: -(2n ** 63n) }),
			});
		await store.close();
	});

	test.each([80, 120])(
		"prints a list within %d columns, and escapes control characters in names",
		async (width) => {
			const shown = await onTerminalOf(width, "pets", "find");
			const lines = shown.split("\r\n").slice(0, -1);
			expect(lines).toHaveLength(5);
			const widths = lines.map((line) => Bun.stringWidth(line));
			expect(Math.max(...widths)).toBe(width);
			expect(shown).toContain("…");
			expect(shown).toContain("\\u001b[2J\\u000a\\u202eexe");
			const columns = lines.slice(1).map((line) => line.indexOf("-92"));
			expect(columns).not.toContain(-1);
		},
	);

	/** What the terminal shows. */
	async function onTerminalOf(
		cols: number,
		...args: string[]
	): Promise<string> {
		let shown = "";
		const decoder = new TextDecoder();
		const child = Bun.spawn([bin, ...args, "--database", database()], {
			cwd: folder.path,
			terminal: {
				cols,
				rows: 24,
				data(_terminal, data) {
					shown += decoder.decode(data, { stream: true });
				},
			},
		});
		await child.exited;
		child.terminal?.close();
		return shown;
	}
});

describe("text on a terminal", () => {
	test.each([
		["Rex", 3, "Rex"],
		["Rexi", 3, "Re…"],
		["犬犬犬", 6, "犬犬犬"],
		["犬犬犬", 5, "犬犬…"],
		["犬犬犬", 4, "犬…"],
		["e\u0301e\u0301e\u0301", 2, "e\u0301…"],
		["👩‍🚒👩‍🚒", 3, "👩‍🚒…"],
	])("cuts %s to %d columns as %s", (text, width, shown) => {
		expect(cutTo(text, width)).toBe(shown);
	});
	test("escapes control characters", () => {
		expect(toPrintable("a\u0007\u009b\u2066é犬")).toBe(
			"a\\u0007\\u009b\\u2066é犬",
		);
	});
});
