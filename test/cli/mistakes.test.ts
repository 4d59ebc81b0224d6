// How the command line explains itself: the version, the help of each command, and the sentences for wrong usage.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import manifest from "../../package.json" with { type: "json" };
import { run } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
	folder = temporaryFolder();
});
afterAll(() => folder.remove());

const petstore = (args: readonly string[], env: Record<string, string> = {}) =>
	run(args, { cwd: folder.path, env });

test.each([[["-v"]], [["--version"]], [["serve", "-v"]]])(
	"petstore %p prints the version",
	async (args) => {
		expect(await petstore(args)).toEqual({
			status: 0,
			stdout: `${manifest.version}\n`,
			stderr: "",
		});
	},
);

describe("help", () => {
	test.each([
		["help", ["--help"]],
		["help serve", ["serve", "--help"]],
		["help keys", ["keys", "--help"]],
		["help keys create", ["keys", "create", "--help"]],
		["keys help create", ["keys", "create", "--help"]],
	])("petstore %s prints the same as petstore %p", async (words, args) => {
		const { status, stdout, stderr } = await petstore(words.split(" "));
		expect([status, stderr]).toEqual([0, ""]);
		expect(stdout).toBe((await petstore(args)).stdout);
	});

	test("lists the commands in the order that a new user needs", async () => {
		const { stdout } = await petstore(["--help"]);
		const listed = stdout.slice(stdout.indexOf("Commands:"));
		expect(
			[...listed.matchAll(/^ {2}([a-z]+) .* {2}/gm)].map(([, name]) => name),
		).toEqual([
			...["sandbox", "serve", "keys", "console", "pets", "categories"],
			...[
				"history",
				"status",
				"health",
				"import",
				"export",
				"backup",
				"restore",
				"check",
			],
			...["verify", "openapi", "help"],
		]);
	});

	test.each([
		...["", "sandbox", "serve", "console", "status", "health"],
		...["import", "export", "backup", "restore", "check", "verify"],
		"openapi",
		...["keys", "keys create", "keys list", "keys rename"],
		...["keys revoke"],
		...["categories", "categories list", "categories set"],
		...["categories remove"],
		...["pets", "pets list", "pets get", "pets add", "pets set", "pets remove"],
	])("fits into 80 columns for petstore %s", async (command) => {
		const args = [...command.split(" ").filter(Boolean), "--help"];
		const { stdout } = await petstore(args, { COLUMNS: "80" });
		expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
	});
});

describe("wrong usage ends with status 2 and a sentence that begins with the name of the program", () => {
	test.each([
		["", "no command was given"],
		["keys", "no command was given"],
		["srve", "unknown command 'srve'\n(Did you mean serve?)"],
		["help srve", "unknown command 'srve'"],
		["help keys creat", "unknown command 'creat'"],
		["serve --prot 1", "unknown option '--prot'\n(Did you mean --port?)"],
		["serve --port 65536", "option '--port <number>' argument '65536'"],
		["serve --host ::::", "option '--host <address>' argument '::::'"],
		[
			"serve --operator-address [::::]:0",
			"option '--operator-address <host:port>' argument '[::::]:0'",
		],
		["health --host 127.0.0.1:80", "option '--host <address>'"],
		["sandbox --allow-host :80", "option '--allow-host <name>'"],
		["serve keys list", "too many arguments for 'serve'"],
		["keys revoke", "missing required argument 'id'"],
		["keys create", "required option '--name <name>' not specified"],
		["verify --key x", "missing required argument 'url'"],
		["serve --database mysql://h/d", "The database must be sqlite:PATH,"],
		["serve --database data.db", "The database must be sqlite:PATH,"],
		["serve --database postgres://", "The PostgreSQL URL names no host;"],
		["serve --database postgres:///pets", "The PostgreSQL URL names no host;"],
		["keys list --database postgres://u@/x", "The PostgreSQL URL is malformed"],
		[
			"serve --database postgres://u:a/hunter2@h/d",
			"The PostgreSQL URL is malformed",
		],
		[
			"serve --database postgres://h:99999/d",
			"The PostgreSQL URL is malformed",
		],
		[
			"serve --database postgres://u:%zz@h/d",
			"The PostgreSQL URL is malformed",
		],
	])("refuses petstore %s", async (command, message) => {
		const empty = temporaryFolder();
		const args = command.split(" ").filter(Boolean);
		const { status, stdout, stderr } = await run(args, {
			cwd: empty.path,
			env: { PORT: "0" },
		});
		expect([status, stdout]).toEqual([2, ""]);
		expect(stderr).toStartWith(`petstore: ${message}`);
		expect(stderr).not.toMatch(/error:|hunter2|^ +at /m);
		expect(readdirSync(empty.path)).toEqual([]);
		empty.remove();
	});

	test("names the command whose help to read", async () => {
		for (const [args, command] of [
			[["srve"], ""],
			[["serve", "--prot"], "serve "],
			[["keys", "create"], "keys create "],
		] as const)
			expect((await petstore(args)).stderr).toEndWith(
				`petstore ${command}--help" to see its arguments and flags.\n`,
			);
	});
});

describe("--database", () => {
	test.each([
		"openapi --database sqlite:x.db",
		"verify http://127.0.0.1:1/v1 --key x --database sqlite:x.db",
		"--database sqlite:x.db keys list",
		"keys --database sqlite:x.db list",
	])(
		"refuses petstore %s: the flag belongs to the commands that use it",
		async (command) => {
			const { status, stdout, stderr } = await petstore(command.split(" "));
			expect([status, stdout]).toEqual([2, ""]);
			expect(stderr).toStartWith("petstore: unknown option '--database'");
		},
	);

	test("accepts PETSTORE_DATABASE for commands that do not use it", async () => {
		const env = { PETSTORE_DATABASE: "sqlite:x.db" };
		expect((await petstore(["openapi"], env)).status).toBe(0);
	});

	test("appears in the help of the commands that use it, and of no other", async () => {
		const has = async (...args: string[]) =>
			(await petstore([...args, "--help"])).stdout.includes("--database");
		for (const args of [
			["serve"],
			["keys", "create"],
			["keys", "list"],
			["keys", "revoke"],
		])
			expect([args, await has(...args)]).toEqual([args, true]);
		for (const args of [["openapi"], ["verify"]])
			expect([args, await has(...args)]).toEqual([args, false]);
	});
});
