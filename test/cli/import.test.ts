// `petstore import` and `petstore export`, as their users run them.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import naughtyStrings from "big-list-of-naughty-strings";
import { maxInt64, minInt64 } from "../../src/domain/json.ts";
import { petStatuses } from "../../src/domain/pet.ts";
import { toWriter } from "../../src/formats/writer.ts";
import { toPet } from "../harness/pet.ts";
import { createDatabase } from "../harness/postgres/server.ts";
import { petstore, run, start, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { startMs } from "../service.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
const path = (name: string) => `${folder.path}/${name}`;
const write = (name: string, text: string | Uint8Array) =>
	writeFileSync(path(name), text);
const read = (name: string) => readFileSync(path(name));

/** A database that does not exist yet. */
let databases = 0;
const newUrl = () => `sqlite:${path(`${++databases}.db`)}`;

const command = (url: string, ...args: string[]) =>
	run([...args, "--database", url], {
		cwd: folder.path,
		env: { TMPDIR: folder.path },
	});

const toLines = (...names: string[]) =>
	names.map((name) => `{"name":"${name}","categoryId":1}\n`).join("");

describe("Round trip of files", () => {
	describe.each(["ndjson", "csv"] as const)("%s", (format) => {
		let postgres: { url: string; remove: () => void | Promise<void> };
		beforeAll(async () => {
			postgres = await createDatabase();
		}, startMs);
		afterAll(() => postgres.remove());

		test("exports the same bytes again after an import into the other engine", async () => {
			const good = `good.${format}`;
			const { head, toBytes } = toWriter(format);
			write(good, Buffer.concat([head, toBytes(naughtyPets())]));
			const names = [`from-sqlite.${format}.gz`, `from-postgres.${format}`];
			const [fromSqlite = "", fromPostgres = ""] = names;
			const sqlite = newUrl();
			const steps = [
				[sqlite, "import", good, "--add"],
				[sqlite, "export", fromSqlite],
				[postgres.url, "import", fromSqlite, "--add"],
				[postgres.url, "export", fromPostgres],
			] as const;
			for (const [url, ...args] of steps)
				expect(await command(url, ...args)).toMatchObject({ status: 0 });
			const again = newUrl();
			await command(again, "import", fromPostgres, "--add");
			const last = await command(again, "export", "--format", format);
			const expected = read(good).toString();
			expect(gunzipSync(read(fromSqlite)).toString()).toBe(expected);
			expect(read(fromPostgres).toString()).toBe(expected);
			expect(last.stdout).toBe(expected);
		}, 60_000);
	});
});

/** All strings that have broken programs, and the extremes of the numbers. Ids and versions are those of an empty database. */
function naughtyPets() {
	const names = ["", '"', ",", "\r\n", "\uFEFFx", "=1+1", ...naughtyStrings];
	return names
		.filter((name) => name.isWellFormed() && !name.includes("\0"))
		.map((name, index) =>
			toPet({
				id: BigInt(index + 1),
				version: BigInt(index + 1),
				addedAt: null,
				addedBy: null,
				name,
				categoryId: [minInt64, 0n, maxInt64][index % 3] ?? 0n,
				status: petStatuses[index % 3] ?? "sold",
			}),
		);
}

describe("Bad lines", () => {
	test("lists the errors by line, and adds nothing", async () => {
		const url = newUrl();
		write("bad.ndjson", `${toLines("a")}x\n{"name":5}\n`);
		expect(await command(url, "import", "bad.ndjson")).toMatchObject({
			status: 1,
			stderr:
				"line 2: The line must be JSON text in UTF-8, nested no deeper than 2000 levels.\n" +
				'line 3: name must be a string; found "5".\nline 3: categoryId is required.\n' +
				"petstore: 3 errors; nothing was imported.\n",
		});
		expect((await command(url, "export")).stdout).toBe("");
	});

	test("prints the first 100 errors, and counts the others", async () => {
		write("many.ndjson", "x\n".repeat(130));
		const { stderr } = await command(newUrl(), "import", "many.ndjson");
		expect(stderr.match(/^line \d+: /gm)).toHaveLength(100);
		expect(stderr).toEndWith(
			"and 30 more\npetstore: 130 errors; nothing was imported.\n",
		);
	});

	test("names the line of a header that it cannot use", async () => {
		write("header.csv", "\nname,colour\nRex,red\n");
		expect(await command(newUrl(), "import", "header.csv")).toMatchObject({
			status: 1,
			stderr: expect.stringMatching(
				/^line 2: Unknown column "colour"; .*\npetstore: 1 error; nothing was imported\.$/m,
			),
		});
	});
});

describe("Forms of CSV", () => {
	test("refuses unknown columns, unless a flag ignores them", async () => {
		write("other.csv", "name;Colour;categoryId;size\nRex;red;1;2\n");
		const outcomes = [
			[[], 1],
			[["--ignore-unknown"], 0],
		] as const;
		for (const [flags, status] of outcomes)
			expect([
				flags,
				await command(newUrl(), "import", "other.csv", ...flags),
			]).toMatchObject([flags, { status }]);
		write("one.jsonl", toLines("a"));
		expect(
			await command(newUrl(), "import", "one.jsonl", "--ignore-unknown"),
		).toMatchObject({
			status: 2,
			stderr: expect.stringContaining("ignoreUnknown needs the format csv."),
		});
	}, 20_000);

	test("exports for Excel in UTF-16 with tabs, and imports the file without a flag", async () => {
		const url = newUrl();
		write("names.ndjson", toLines("a\\tb", "Zoë, 狗🐕"));
		await command(url, "import", "names.ndjson");
		await command(url, "categories", "set", "1", "--name", "Dogs");
		await command(url, "export", "sheet.csv", "--excel");
		expect(read("sheet.csv").toString("utf16le")).toMatch(
			/^\uFEFFid\tname\tcategory\tstatus\t.*\r\n1\t"a\tb"\tDogs\tavailable\t.*\r\n2\tZoë, 狗🐕\tDogs\tavailable\t.*\r\n$/,
		);
		const again = newUrl();
		const refused = await command(again, "import", "sheet.csv", "--add");
		expect(refused.stderr).toContain("category names no category");
		const make = ["--add", "--create-categories"];
		expect(
			await command(again, "import", "sheet.csv", ...make, "--dry-run"),
		).toMatchObject({ stderr: "Would add 2 animals.\n" });
		await command(again, "import", "sheet.csv", ...make);
		expect((await command(again, "export")).stdout).toBe(
			(await command(url, "export")).stdout,
		);
		expect(await command(url, "export", "x.ndjson", "--excel")).toMatchObject({
			status: 2,
		});
	}, 20_000);
});

describe("Import id", () => {
	test("adds nothing in a repeated import, says when it was done, and refuses another file", async () => {
		const url = newUrl();
		write("two.jsonl", toLines("a", "b"));
		const args = ["import", "two.jsonl", "--import-id", "monday"];
		expect((await command(url, ...args)).stderr).toContain("Added 2 animals.");
		const repeated = await command(url, ...args);
		expect(repeated).toMatchObject({ status: 0 });
		expect(repeated.stderr).toMatch(
			/^Nothing was done: the import monday finished at \d{4}-\S+Z with 2 animals\.$/m,
		);
		write("three.jsonl", toLines("a", "b", "c"));
		for (const dryRun of [[], ["--dry-run"]]) {
			const other = ["import", "three.jsonl", ...args.slice(2), ...dryRun];
			expect(await command(url, ...other)).toMatchObject({
				status: 1,
				stderr: expect.stringMatching(
					/^petstore: The import id monday was used for another file at \d{4}-\S+Z; choose another one\. Nothing was imported\.$/m,
				),
			});
		}
		expect((await command(url, "export")).stdout.split("\n")).toHaveLength(3);
	});
});

describe("Update by a file", () => {
	test("changes the edited rows of an exported sheet, adds its new rows, and records the changes in the history", async () => {
		const url = newUrl();
		write("start.ndjson", toLines("a", "b", "c", "d"));
		await command(url, "import", "start.ndjson");
		await command(url, "export", "sheet.csv", "--excel");
		const edited = read("sheet.csv")
			.toString("utf16le")
			.replace("1\ta\t", "1\tA\t")
			.replace(/3\tc\t1\tavailable(.*\t)3/, "3\tc\t1\tsold$1");
		const [header = ""] = edited.split("\r\n");
		const others = "\t".repeat(header.split("\t").length - 4);
		const added = `\te\t7\tpending${others}\r\n`;
		write("sheet.csv", Buffer.from(edited + added, "utf16le"));
		const args = ["import", "sheet.csv", "--update", "--import-id", "tuesday"];
		expect(await command(url, ...args, "--dry-run")).toMatchObject({
			stderr: "Would add 1 animal, change 2 and leave 2 unchanged.\n",
		});
		expect(await command(url, ...args)).toMatchObject({
			stderr: "Added 1 animal, changed 2 and left 2 unchanged.\n",
		});
		const { stdout } = await command(url, "export");
		const pets = stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(pets).toMatchObject([
			{ name: "A", status: "available", categoryId: 1 },
			{ name: "b", status: "available", categoryId: 1 },
			{ name: "c", status: "sold", categoryId: 1 },
			{ name: "d", status: "available", categoryId: 1 },
			{ name: "e", status: "pending", categoryId: 7 },
		]);
		const history = ["history", "list", "--by", "command line", "--json"];
		const { entries } = JSON.parse((await command(url, ...history)).stdout);
		expect(entries.toReversed()).toMatchObject([
			{ petId: 1, before: { name: "a" }, pet: { name: "A" } },
			{ petId: 3, before: { status: "available" }, pet: { status: "sold" } },
		]);
		// The versions of the sheet are old now.
		const late = ["import", "sheet.csv", "--update"];
		expect(await command(url, ...late)).toMatchObject({
			status: 1,
			stderr: expect.stringMatching(
				/^line 2: version is \d+ now: .* changed since the export; found "1"\.\npetstore: 1 error; nothing was imported\.$/m,
			),
		});
	}, 30_000);

	test("asks for --update or --add if the file has ids, and refuses --update without ids", async () => {
		write("ids.csv", "id,name,categoryId\n1,a,1\n");
		write("none.csv", "id,name,categoryId\n,a,1\n");
		const url = newUrl();
		for (const [status, ...args] of [
			[2, "ids.csv"],
			[2, "ids.csv", "--update", "--add"],
			[1, "none.csv", "--update"],
			[0, "none.csv"],
			[0, "ids.csv", "--add"],
			[0, "ids.csv", "--update"],
		] as const)
			expect([args, await command(url, "import", ...args)]).toMatchObject([
				args,
				{ status },
			]);
		expect((await command(url, "export")).stdout.split("\n")).toHaveLength(3);
	}, 20_000);
});

test.each(["no-such-file.csv", "bad.ndjson"])(
	"creates no database if the import of %s fails",
	async (name) => {
		write("bad.ndjson", "{}\n");
		const url = newUrl();
		expect(await command(url, "import", name)).toMatchObject({ status: 1 });
		expect(existsSync(url.slice("sqlite:".length))).toBe(false);
	},
);

test("creates no database in a dry run", async () => {
	const url = newUrl();
	write("one.ndjson", toLines("a"));
	const { stderr } = await command(url, "import", "one.ndjson", "--dry-run");
	expect(stderr).toBe("Would add 1 animal.\n");
	expect(existsSync(url.slice("sqlite:".length))).toBe(false);
});

test("reads and writes NDJSON on stdin and stdout, and knows a gzip file by its name", async () => {
	const url = newUrl();
	write("a.ndjson.gz", gzipSync(toLines("a")));
	const piped = await shell(
		`${petstore} import a.ndjson.gz --database ${url} && ${petstore} export --database ${url} | ${petstore} import - --add --database ${url}; ${petstore} export - --database ${url} --status available --category-id 1 | head -n 2`,
	);
	expect(piped.stdout).toBe(
		'{"id":1,"name":"a","categoryId":1,"status":"available","version":1}\n{"id":2,"name":"a","categoryId":1,"status":"available","version":2}\n',
	);
	write("cut.ndjson.gz", gzipSync(toLines("a", "b")).subarray(0, 20));
	const cut = await command(url, "import", "cut.ndjson.gz");
	expect(cut).toMatchObject({ status: 1 });
	expect(cut.stderr).toMatch(
		/cut\.ndjson\.gz cannot be read: .+ Nothing was imported\.$/m,
	);
});

test("ends with status 0 if the reader of stdout stops early", async () => {
	const url = newUrl();
	write(
		"many-good.ndjson",
		toLines(...Array.from({ length: 20_000 }, () => "a")),
	);
	await command(url, "import", "many-good.ndjson");
	const { stdout, stderr } = await shell(
		`(${petstore} export --database ${url}; echo "status $?" >&2) | head -n 1`,
	);
	expect(stdout.split("\n")).toHaveLength(2);
	expect(stderr).toBe("status 0\n");
});

test.each([
	["import", "x.txt", /does not show the format .* add --format/],
	["import", "missing.csv", /missing\.csv cannot be read: no such file/],
	["export", "no-folder/x.csv", /x\.csv cannot be written: no such file/],
])("%s refuses %s with a sentence", async (name, file, message) => {
	const url = `sqlite:${path("refused.db")}`;
	if (!existsSync(path("refused.db")))
		await command(url, "pets", "add", "--name", "a", "--category-id", "1");
	const { status, stderr } = await command(url, name, file);
	expect(status).toBeGreaterThan(0);
	expect(stderr).toMatch(message);
});

test.each(["SIGINT", "SIGTERM"] as const)(
	"adds nothing when %s stops an import",
	async (signal) => {
		const url = newUrl();
		// More than a pipe holds: when it is written, the import has begun to read.
		const lines = `yes '{"name":"Rex","categoryId":1}' | head -n 50000`;
		const running = start(
			[
				"sh",
				"-c",
				`(${lines}; touch ${signal}; sleep 60) | exec ${petstore} import - --database ${url}`,
			],
			{ cwd: folder.path },
		);
		await waitFor(
			() => existsSync(path(signal)) || undefined,
			() => running.output().stderr,
		);
		const [child] = (
			await shell(`pgrep -f "main.[jt]s import - --database ${url}$"`)
		).stdout.split("\n");
		process.kill(Number(child), signal);
		await waitFor(
			() => /Interrupted/.test(running.output().stderr) || undefined,
			() => running.output().stderr,
		);
		expect(running.output().stderr).toBe(
			`petstore: Interrupted by ${signal}; nothing was imported.\n`,
		);
		running.kill("SIGKILL");
		expect(existsSync(url.slice("sqlite:".length))).toBe(false);
	},
	20_000,
);

function shell(line: string) {
	return start(["sh", "-c", line], {
		cwd: folder.path,
		env: { TMPDIR: folder.path },
	}).finished;
}
