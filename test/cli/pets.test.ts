// The commands that are operations, for animals, categories, the history and the status. test/operator has their rules.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import manifest from "../../package.json" with { type: "json" };
import { toResourceCommand } from "../../src/cli/resources.ts";
import { pets } from "../../src/operator/pets.ts";
import { usePlace } from "./place.ts";

const place = usePlace();
const max = "9223372036854775807";
/** Runs a command that succeeds, and returns what it prints. */
const petstore = async (command: string) => {
	const { status, stdout, stderr } = await place.run(command);
	expect([command, status, status && stderr]).toEqual([command, 0, 0]);
	return stdout;
};

test("names a command by the whole id if another has its first word", () => {
	const { operations } = pets;
	const added = { readOldestPet: operations.readPet };
	const { commands } = toResourceCommand({
		...pets,
		operations: Object.assign({}, operations, added),
	});
	const names = commands.map((command) => command.name());
	expect(names).toEqual(expect.arrayContaining(["read", "read-oldest-pet"]));
});

test("adds, reads, changes, finds, counts and removes animals with exact numbers", async () => {
	expect(await petstore(`pets add --name Rex --category-id ${max}`)).toBe(
		"1\n",
	);
	expect(await petstore("pets change 1 --status sold --json")).toMatch(
		/^\{"id":1,"name":"Rex","categoryId":9223372036854775807,"status":"sold","version":2,"addedAt":"[^"]+","addedBy":\{"kind":"command line"\}\}\n$/,
	);
	const tom = await petstore(
		"pets add --name Tom --category-id -2 --status pending --json",
	);
	// The change has taken a number from the counter of ids, as its position in the feed.
	expect(tom).toStartWith('{"id":3,"name":"Tom","categoryId":-2,');
	expect(await petstore("pets read 3 --json")).toBe(tom);
	expect(await petstore("pets read 1")).toMatch(
		/^name +Rex\n.*9223372036854775807\n/m,
	);
	expect(await petstore("pets find")).toMatch(
		/\n 3 {2}Tom +-2 {2}pending .*\n 1 {2}Rex {3}9223372036854775807 {2}sold .*\n$/,
	);
	expect(await petstore("pets find --name TO --json")).toBe(
		`{"pets":[${tom.trim()}]}\n`,
	);
	expect(await petstore("pets count --status sold")).toBe("1\n");
	for (const id of ["1", "3"]) await petstore(`pets remove ${id}`);
	expect(await place.run("pets read 1")).toMatchObject({ status: 1 });
});

test("sets, lists and removes names of categories with any id", async () => {
	await petstore(`pets add --name Tom --category-id ${max}`);
	expect(await petstore("categories set -5 --name Dogs")).toBe(
		"id    -5\nname  Dogs\npets  0\n",
	);
	await petstore(`categories set ${max} --name Cats`);
	expect(await petstore("categories list")).toBe(
		`                 ID  NAME  PETS\n                 -5  Dogs     0\n${max}  Cats     1\n`,
	);
	expect(await petstore("categories list --json")).toContain(`{"id":${max},`);
	await petstore("categories remove -5");
	expect(await place.run("categories remove -5")).toMatchObject({ status: 1 });
});

test("history shows who changed what, restore puts an earlier version back, and edits undo undoes", async () => {
	await petstore("pets add --name Old --category-id 1");
	await petstore("pets change 1 --name New --status sold");
	await petstore("pets remove 1");
	const shown = await petstore("history show 1");
	expect(shown).toMatch(
		new RegExp(
			"now +1  removed  command line +\\d+ +\\d+  New\n" +
				"now +1  changed  command line +\\d+ +1  name Old → New, status available → sold\n" +
				"now +1  added +command line +1 +Old\n$",
		),
	);
	expect(await petstore("history restore 1 --version 1")).toMatch(
		/^name +Old$/m,
	);
	const { edits } = JSON.parse(await petstore("edits list --json"));
	expect(await petstore(`edits show ${edits[0].id}`)).toMatch(
		/^kind +changed$.*^added +1$.*^now +1 +added .* Old$/ms,
	);
	await petstore(`edits undo ${edits[0].id}`);
	expect(await place.run("pets read 1")).toMatchObject({ status: 1 });
	const listed = await petstore("history list --json --limit 1");
	expect(JSON.parse(listed).entries).toMatchObject([
		{ kind: "removed", by: { kind: "command line" } },
	]);
});

test("edits show says where the entries beyond 100 are", async () => {
	writeFileSync(
		place.path("a.ndjson"),
		'{"name":"","categoryId":1}\n'.repeat(101),
	);
	for (const command of ["import a.ndjson", "edits undo 1"])
		await petstore(command);
	const { stdout, stderr } = await place.run("edits show 102");
	expect(stdout).toMatch(/^removed +101$/m);
	expect(stderr).toContain("history list --edit 102");
});

test("status says what the database holds", async () => {
	await petstore("pets add --name Rex --category-id 1");
	expect(JSON.parse(await petstore("status --json"))).toMatchObject({
		version: manifest.version,
		engine: "sqlite",
		animals: 1,
	});
	expect(await petstore("status")).toMatch(/^animals +1$/m);
});
