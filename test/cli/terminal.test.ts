// What commands print: on a terminal messages without colours and questions, in a pipe everything.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { petstore, root, run, start, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const folder = temporaryFolder();
beforeAll(async () => {
	for (const name of ["Rex", "Tom"])
		await run(["pets", "add", "--name", name, "--category-id", "1"], {
			cwd: folder.path,
		});
});
afterAll(() => folder.remove());

/** Runs a command, types an answer when it shows the prompt, and returns its exit status and what the terminal showed. */
async function onTerminal(
	args: readonly string[],
	answer?: string,
	prompt = "[y/N] ",
): Promise<[number, string]> {
	let shown = "";
	const command = Bun.spawn([petstore, ...args], {
		cwd: folder.path,
		env: { PATH: process.env.PATH, TERM: "xterm" },
		terminal: {
			cols: 80,
			rows: 50,
			data(_terminal, bytes) {
				shown += new TextDecoder().decode(bytes);
			},
		},
	});
	if (answer !== undefined) {
		await waitFor(
			() => shown.includes(prompt) || undefined,
			() => shown,
		);
		command.terminal?.write(answer);
	}
	const status = await command.exited;
	// The last bytes may arrive after the exit.
	await waitFor(
		() => shown.endsWith("\n") || undefined,
		() => shown,
	);
	command.terminal?.close();
	return [status, shown];
}

test("prints messages without colours", async () => {
	expect(await onTerminal(["pets", "change", "2", "--name", "Tim"])).toEqual([
		0,
		expect.not.stringContaining("\u001b["),
	]);
});

test("keys list cuts names to fit into 80 columns", async () => {
	const names = [
		"a name of many characters ".repeat(3).trim(),
		"犬".repeat(30),
	];
	for (const name of names) {
		const args = [
			"--name",
			name,
			"--scope",
			"read-write",
			"--expires-at",
			"1d",
		];
		await run(["keys", "create", ...args], { cwd: folder.path });
	}
	const [status, shown] = await onTerminal(["keys", "list"]);
	expect([status, shown]).toEqual([0, expect.stringContaining("犬…")]);
	const lines = shown.split("\r\n");
	expect(lines.filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
});

test("keys revoke asks first", async () => {
	const [status, shown] = await onTerminal(["keys", "revoke", "1"], "n\r");
	expect([status, shown]).toEqual([1, expect.stringContaining("(1)? [y/N] ")]);
	expect(shown).toContain("petstore: Nothing was done.");
});

test("pets remove shows the animal, asks, and does not remove it without a yes", async () => {
	const question = "Remove an animal (1)? [y/N] ";
	for (const answer of ["n\r", "\r"]) {
		const [status, shown] = await onTerminal(["pets", "remove", "1"], answer);
		expect([status, shown]).toEqual([1, expect.stringContaining(question)]);
		expect(shown).toMatch(/name +Rex/);
		expect(shown).toContain("petstore: Nothing was done.");
	}
	expect((await onTerminal(["pets", "remove", "2"], "y\r"))[0]).toBe(0);
});

test("restore asks before it replaces anything", async () => {
	const backup = `${folder.path}/asked.db`;
	expect((await onTerminal(["backup", backup]))[0]).toBe(0);
	const args = ["restore", backup, "--replace"];
	const [status, shown] = await onTerminal(args, "n\r");
	expect([status, shown]).toEqual([1, expect.stringContaining("? [y/N] ")]);
	expect(shown).toContain("Replace everything in sqlite:");
	expect(shown).toContain("petstore: Nothing was restored.");
	expect((await onTerminal(args, "y\r"))[1]).toContain(
		"The earlier content is in",
	);
});

test.each([
	["Ctrl-C", "\u0003"],
	["Ctrl-D", "\u0004"],
])(
	"ends with status 1 on a new line after %s at the question",
	async (_name, answer) => {
		const [status, shown] = await onTerminal(["pets", "remove", "1"], answer);
		expect([status, shown]).toEqual([
			1,
			expect.stringMatching(/\r\npetstore: Nothing was done\.\r\n$/),
		]);
	},
);

test("pets remove refuses an id that does not exist before it asks", async () => {
	const [status, shown] = await onTerminal(["pets", "remove", "99"]);
	expect([status, shown]).toEqual([1, expect.not.stringContaining("y/N")]);
});

test("serve says in its first line that it makes a new database, once", async () => {
	const args = ["serve", "--port", "0", "--database", "sqlite:new/pets.db"];
	const serve = () => onTerminal(args, "\u0003", "listening");
	const said =
		/^\S+ warn {2}no database at new\/pets\.db: creating an empty one\r\n/;
	const [status, shown] = await serve();
	expect([status, shown]).toEqual([0, expect.stringMatching(said)]);
	expect((await serve())[1]).not.toContain("no database");
});

test.each([
	["openapi", "0\n"],
	["help", "0\n"],
	[
		"keys create --name unread --database sqlite:unread.db",
		"petstore: The output cannot be written: broken pipe.\n1\n",
	],
])(
	"a closed pipe is a failure only if the text cannot be printed again: %s",
	async (command, expected) => {
		const script = `(${petstore} ${command}; echo $? >&2) | true`;
		const { finished } = start(["sh", "-c", script], { cwd: folder.path });
		expect((await finished).stderr).toBe(expected);
	},
);

test("prints everything even if the other end of the pipe reads it late", async () => {
	const script = `require("${root}src/cli/terminal/print.ts").print("é".repeat(200_000))`;
	const { finished } = start(
		["sh", "-c", `"${process.execPath}" -e '${script}' | (sleep 0.3; cat)`],
		{ cwd: folder.path },
	);
	expect(await finished).toMatchObject({ stdout: "é".repeat(200_000) });
});
