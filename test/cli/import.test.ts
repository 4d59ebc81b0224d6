// `petstore import` and `petstore export`, as their users run them. test/formats and test/operator have the rules.
import { describe, expect, test } from "bun:test";
import {
	existsSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import naughtyStrings from "big-list-of-naughty-strings";
import { petStatuses } from "../../src/domain/pet/pet.ts";
import { maxInt64, minInt64 } from "../../src/domain/types/json.ts";
import { toWriter } from "../../src/formats/writer.ts";
import { toPet } from "../harness/pet.ts";
import { createDatabase } from "../harness/postgres/server.ts";
import { waitFor } from "../harness/process.ts";
import { usePlace } from "./place.ts";

const place = usePlace();
const write = (name: string, text: string | Uint8Array) =>
	writeFileSync(place.path(name), text);
const read = (name: string) => readFileSync(place.path(name));
const shell = (line: string) => place.shell(line).finished;
const toLines = (...names: string[]) =>
	names.map((name) => `{"name":"${name}","categoryId":1}\n`).join("");

describe.each(["ndjson", "csv"] as const)("%s", (format) => {
	test("exports the same bytes again after an import into the other engine", async () => {
		const good = `good.${format}`;
		const { head, toBytes } = toWriter(format);
		write(good, Buffer.concat([head, toBytes(naughtyPets())]));
		const postgres = await createDatabase();
		const [first, second] = [`sqlite.${format}.gz`, `postgres.${format}`];
		for (const [command, database] of [
			[`import ${good} --add --quiet`, "sqlite:first.db"],
			[`export ${first} --quiet`, "sqlite:first.db"],
			[`import ${first} --add`, postgres.url],
			[`export ${second}`, postgres.url],
		]) {
			const outcome = await place.run(`${command} --database ${database}`);
			expect(outcome).toMatchObject({ status: 0 });
		}
		const expected = read(good).toString();
		expect(gunzipSync(read(first)).toString()).toBe(expected);
		expect(read(second).toString()).toBe(expected);
		await postgres.remove();
	}, 60_000);
});

/** All strings that have broken programs, and the extremes of the numbers. Ids and versions are those of an empty database. */
function naughtyPets() {
	const names = ["", '"', "\r", "\n", "\uFEFFx", "=1+1", ...naughtyStrings];
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

test("lists the first 100 errors by line, and adds nothing, like a dry run and a file that cannot be read", async () => {
	write("bad.ndjson", `${toLines("a")}x\n{"name":5,"kind":1}\n`);
	write("many.ndjson", "x\n".repeat(130));
	write("good.ndjson", toLines("a"));
	write("cut.ndjson.gz", gzipSync(toLines("a", "b")).subarray(0, 20));
	const files = readdirSync(place.path());
	const { status, stderr } = await place.run("import bad.ndjson");
	expect(status).toBe(1);
	expect(stderr).toStartWith('Ignored members: "kind" (1 line).\n');
	expect(stderr.match(/^line \d/gm)).toEqual(["line 2", "line 3", "line 3"]);
	expect(stderr).toEndWith("3 errors; nothing was imported.\n");
	write("coloured.csv", "name,categoryId,colour\nRex,1,red\n");
	const coloured = await place.run("import coloured.csv");
	expect(coloured.stderr).toContain("--ignore-unknown");
	write("coloured.csv", "name,category\nRex,red\n");
	const red = await place.run("import coloured.csv --database sqlite::memory:");
	expect(red.stderr).toContain("(--create-categories)");
	rmSync(place.path("coloured.csv"));
	const many = await place.run("import many.ndjson");
	expect(many.stderr.match(/^line \d+: /gm)).toHaveLength(100);
	expect(many.stderr).toContain("\nand 30 more\npetstore: 130 errors;");
	for (const [args, status] of [
		["none.csv", 1],
		["cut.ndjson.gz", 1],
		["good.ndjson --dry-run", 0],
	] as const)
		expect(await place.run(`import ${args}`)).toMatchObject({ status });
	expect(readdirSync(place.path())).toEqual(files);
});

test("changes the edited rows of a sheet for Excel, adds its new rows, and records the changes in the history", async () => {
	write("start.ndjson", toLines("a", "b", "c", "Zoë, 狗🐕"));
	await place.run("import start.ndjson");
	await place.run("categories set 1 --name Dogs");
	await place.run("export sheet.csv --excel");
	const sheet = read("sheet.csv").toString("utf16le");
	expect(sheet).toMatch(
		/^\uFEFFid\tname\tcategory\tstatus\t.*\r\n1\ta\tDogs\tavailable\t/,
	);
	const edited = sheet
		.replace("1\ta\t", "1\tA\t")
		.replace(/3\tc\tDogs\tavailable(.*\t)3/, "3\tc\tDogs\tsold$1");
	const [header = ""] = edited.split("\r\n");
	const others = "\t".repeat(header.split("\t").length - 4);
	const added = `\te\tCats\tpending${others}\r\n`;
	write("sheet.csv", Buffer.from(edited + added, "utf16le"));
	const update =
		"import sheet.csv --update --create-categories --import-id tuesday";
	expect(await place.run(`${update} --dry-run`)).toMatchObject({
		stderr:
			'Would add 1 animal, change 2 and leave 2 unchanged.\nNew categories: "Cats".\n',
	});
	expect(await place.run(update)).toMatchObject({
		stderr:
			'Added 1 animal, changed 2 and left 2 unchanged.\nNew categories: "Cats".\n',
	});
	const { stdout } = await place.run("export");
	const pets = stdout
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	expect(pets).toMatchObject([
		{ name: "A", status: "available", categoryId: 1 },
		{ name: "b", status: "available", categoryId: 1 },
		{ name: "c", status: "sold", categoryId: 1 },
		{ name: "Zoë, 狗🐕", status: "available", categoryId: 1 },
		{ name: "e", status: "pending", categoryId: 2 },
	]);
	const history = await place.run([
		"history",
		"list",
		"--by",
		"command line",
		"--json",
	]);
	expect(JSON.parse(history.stdout).entries.toReversed()).toMatchObject([
		{ petId: 1, before: { name: "a" }, pet: { name: "A" } },
		{ petId: 3, before: { status: "available" }, pet: { status: "sold" } },
	]);
	// The id was used, and the versions of the sheet are old now.
	expect(await place.run(update)).toMatchObject({
		status: 0,
		stderr: expect.stringContaining("Nothing was done"),
	});
	expect(await place.run("import sheet.csv --update")).toMatchObject({
		status: 1,
		stderr: expect.stringMatching(/^line 2: version is \d+ now/),
	});
	write("sheet.csv", edited);
	expect(await place.run(update)).toMatchObject({
		status: 1,
		stderr: expect.stringContaining("was used for another file"),
	});
}, 30_000);

test("reads and writes NDJSON on stdin and stdout, knows a gzip file by its name, and is not disturbed by a reader that stops early", async () => {
	write("a.ndjson.gz", gzipSync(toLines("a")));
	const piped = await shell(
		"petstore import a.ndjson.gz && petstore export | petstore import - --add; petstore export - --status available --category-id 1 | head -n 2",
	);
	expect(piped.stdout).toBe(
		'{"id":1,"name":"a","categoryId":1,"status":"available","version":1}\n{"id":2,"name":"a","categoryId":1,"status":"available","version":2}\n',
	);
	write("many.ndjson", toLines(...Array.from({ length: 20_000 }, () => "a")));
	await place.run("import many.ndjson");
	const early = await shell(
		'(petstore export; echo "status $?" >&2) | head -n 1',
	);
	expect(early.stdout.split("\n")).toHaveLength(2);
	expect(early.stderr).toBe("status 0\n");
});

test("adds nothing when SIGTERM stops an import", async () => {
	// More than a pipe holds: when it is written, the import has begun to read.
	const lines = `yes '{"name":"Rex","categoryId":1}' | head -n 50000`;
	const running = place.shell(
		`(${lines}; touch begun; sleep 10) | sh -c 'echo $$ > pid; exec petstore import -'`,
	);
	await waitFor(() => existsSync(place.path("begun")), "it has not begun");
	process.kill(Number(read("pid")), "SIGTERM");
	await running.printed(/Interrupted/);
	expect(running.output().stderr).toBe(
		"petstore: Interrupted by SIGTERM; nothing was imported.\n",
	);
	running.kill("SIGKILL");
	expect(existsSync(place.path("data"))).toBe(false);
}, 20_000);
