// The command line on a terminal: tables, questions, the log, and a terminal that closes. In a pipe it prints everything.
import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { cutTo } from "../../src/cli/terminal/table.ts";
import { openStore } from "../../src/store/store.ts";
import { toPet } from "../harness/pet.ts";
import { root } from "../harness/process.ts";
import { apiKey, usePlace } from "./place.ts";

const place = usePlace("file");
beforeAll(async () => {
	const database = `sqlite:${place.path("data/petstore.db")}`;
	const store = await openStore(database, { access: "create" });
	const wide = "犬の名前はとても長いのでここで切られるはずです".repeat(2);
	for (const name of ["Rex", wide, "x".repeat(255), "\u001b[2J\n\u202eexe"])
		await store.catalogue.addPet({
			pet: toPet({ name, categoryId: -(2n ** 63n) }),
		});
	await store.close();
});

test("prints a list within its columns, without colours, and escapes control characters in names", async () => {
	const [, shown] = await place.terminal("pets find").finished();
	const lines = shown.split("\r\n").slice(0, -1);
	expect(lines).toHaveLength(5);
	const widths = lines.map((line) => Bun.stringWidth(line));
	expect(Math.max(...widths)).toBe(80);
	expect(shown).toContain("…");
	expect(shown).toContain("\\u001b[2J\\u000a\\u202eexe");
	expect(shown).not.toContain("\u001b[");
	const columns = lines.slice(1).map((line) => line.indexOf("-92"));
	expect(columns).not.toContain(-1);
	const none = await place.terminal("pets find --name nobody").finished();
	expect(none).toEqual([0, "Nothing found.\r\n"]);
});

describe("a question", () => {
	/** Runs a command, and types the answer at its question. */
	const answer = async (command: string, text: string) => {
		const terminal = place.terminal(command);
		await terminal.until(/\? \[y\/N\] /);
		terminal.type(text);
		return terminal.finished();
	};

	test("names what is removed, removes it after a yes only, and says how to undo it", async () => {
		for (const typed of ["n\r", "\r", "\u0003", "\u0004"]) {
			const [status, shown] = await answer("pets remove 1", typed);
			expect(status).toBe(1);
			expect(shown).toMatch(
				/Remove animal 1 “Rex”\? \[y\/N\] .*\r\npetstore: Nothing was done\.\r\n$/s,
			);
		}
		const [status, shown] = await answer("pets remove 1", "y\r");
		expect(status).toBe(0);
		const [, undo = ""] =
			/ 1 {2}removed .* Rex\r\n.*petstore (edits undo \d+)\r\n$/s.exec(shown) ??
			[];
		const [, undone] = await place.terminal(undo).finished();
		expect(undone).toMatch(
			/ 1 {2}added .* Rex\r\n.*petstore edits undo \d+\r\n$/s,
		);
		await place.run("keys create --name Ada");
		await place.run("categories set 7 --name Dogs");
		for (const [command, question] of [
			["keys revoke 1", "Revoke key 1 “Ada”?"],
			["categories remove 7", "Remove the name “Dogs” of category 7?"],
		] as const)
			expect((await answer(command, "y\r"))[1]).toContain(question);
		for (const command of ["pets remove 99", "categories remove 7"])
			expect((await place.terminal(command).finished())[0]).toBe(1);
	});
});

test("a service logs lines of text, stops at the end of its terminal, and closes the database", async () => {
	const terminal = place.terminal(
		"serve --port 0 --log-requests --database sqlite:new/pets.db",
		{ PETSTORE_API_KEY: apiKey },
	);
	const [, url = ""] = await terminal.until(/listening url=(\S+)/);
	await fetch(`${url}/healthz`);
	await terminal.until(/^\S+Z info {2}200 +\d+ms GET +\/healthz/m);
	terminal.close();
	expect(await terminal.exited).toBe(0);
	expect(readdirSync(place.path("new"))).toEqual(["pets.db"]);
});

test("a closed pipe is no failure, and a full disk is one", async () => {
	const outcome = async (line: string) =>
		(await place.shell(line).finished).stderr;
	expect(await outcome("(petstore openapi; echo $? >&2) | true")).toBe("0\n");
	expect(await outcome("petstore openapi > /dev/full; echo $? >&2")).toMatch(
		/^petstore: The output cannot be written: .*\.\n1\n$/,
	);
});

test("prints everything even if the other end of the pipe reads it late", async () => {
	const script = `require("${root}src/cli/terminal/print.ts").print("é".repeat(200_000))`;
	const shell = place.shell(
		`"${process.execPath}" -e '${script}' | (sleep 0.3; cat)`,
	);
	expect((await shell.finished).stdout).toBe("é".repeat(200_000));
});

test.each([
	["Rex", 3, "Rex"],
	["Rexi", 3, "Re…"],
	["犬犬犬", 5, "犬犬…"],
	["犬犬犬", 4, "犬…"],
	["e\u0301e\u0301e\u0301", 2, "e\u0301…"],
	["👩‍🚒👩‍🚒", 3, "👩‍🚒…"],
])("cuts %s to %d columns as %s", (text, width, shown) => {
	expect(cutTo(text, width)).toBe(shown);
});
