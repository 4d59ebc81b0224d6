// How the command line explains itself: the version, the help of each command, and the sentences for wrong usage.
import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import manifest from "../../package.json" with { type: "json" };
import { flags } from "../../src/cli/commands/serve.ts";
import { modules } from "../../src/cli/commands.ts";
import { readText, type Type } from "../../src/domain/type.ts";
import { run } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const petstore = (args: readonly string[], env: Record<string, string> = {}) =>
	run(args, { cwd: folder.path, env });

test("-v and --version print the version", async () => {
	for (const args of [["-v"], ["serve", "--version"]])
		expect(await petstore(args)).toEqual({
			status: 0,
			stdout: `${manifest.version}\n`,
			stderr: "",
		});
});

test.each([
	...["", ...Object.keys(modules)],
	...["keys create", "history restore", "categories set"],
])("petstore %s --help prints the usage, with examples", async (command) => {
	const words = command.split(" ").filter(Boolean);
	const { status, stdout, stderr } = await petstore([...words, "--help"]);
	expect([status, stderr]).toEqual([0, ""]);
	expect(stdout).toStartWith(`Usage: ${["petstore", ...words].join(" ")}`);
	expect(stdout).toContain("Examples:\n  petstore");
	const again = await petstore(["help", ...words.slice(0, 1)]);
	if (words.length < 2) expect(again.stdout).toBe(stdout);
});

test.each([
	[flags.host, "::::", false],
	[flags.host, "127.0.0.1:80", false],
	[flags.host, "fe80::1%eth0", true],
	[flags.operatorAddress, "[::::]:0", false],
	[flags.operatorAddress, "[::1]:0", true],
	[flags.operatorAddress, "localhost:65536", false],
	[flags.rateLimit, "fast", false],
	[flags.rateLimit, "0/s", false],
	[flags.rateLimit, "600/m", true],
	[flags.backupEvery, "9s", false],
	[flags.backupEvery, "24h", true],
	[flags.history, "0", true],
	[flags.baseUrl, "pets.example", false],
	[flags.baseUrl, "https://x/?y", false],
	[flags.baseUrl, "https://x/y", true],
] as const)("flag %# takes %p: %p", (type: Type, text, isTaken) => {
	expect(readText(type, text, "flag").broken.length === 0).toBe(isTaken);
});

describe("wrong usage ends with status 2 and one reason, and creates no file", () => {
	test.each([
		["", "no command was given"],
		["keys", "no command was given"],
		["srve", "unknown command 'srve'\n.Did you mean serve"],
		["serve --prot 1", "unknown option '--prot'\n.Did you mean --port"],
		["openapi --database sqlite:x.db", "unknown option '--database'"],
		["serve keys list", "too many arguments for 'serve'"],
		["serve --port 65536", "--port must be a whole number from 0 to 65535"],
		[
			"serve --port 80a --drain -1",
			"--port must be .* --drain must be a number",
		],
		["sandbox --allow-host a --allow-host :80", "--allow-host\\[1\\] must be"],
		["keys create", "--name is required"],
		["keys create --name x --scope all", "--scope must be one of"],
		["keys create --name x --expires-at soon", "--expires-at must be a time"],
		["keys create --name x --expires-at 2020-01-01", "--expires-at must be in"],
		["keys change 1", "The body must have a name, an expiresAt or both."],
		["keys revoke x", "keyId must be a whole number"],
		["pets read 0", "petId must be a whole number"],
		["pets add --name x --category-id 1.5", "--category-id must be a whole"],
		["serve --database mysql://h/d", "The database must be sqlite:PATH,"],
		["serve --database postgres:///pets", "The PostgreSQL URL names no host;"],
		[
			"serve --database postgres://u:a/hunter2@h/d",
			"The PostgreSQL URL is malformed",
		],
		[
			"serve --database postgres://h:99999/d",
			"The PostgreSQL URL is malformed",
		],
	])("petstore %s", async (command, message) => {
		const empty = temporaryFolder();
		const args = command.split(" ").filter(Boolean);
		const { status, stdout, stderr } = await run(args, {
			cwd: empty.path,
			env: { PORT: "0" },
		});
		expect([status, stdout]).toEqual([2, ""]);
		expect(stderr).toMatch(new RegExp(`^petstore: ${message}`));
		expect(stderr).not.toMatch(/error:|hunter2|^ +at /m);
		expect(readdirSync(empty.path)).toEqual([]);
		empty.remove();
	});

	test.each([
		[{ PORT: "x" }, /: PORT must be a whole number/],
		[{ PETSTORE_PORT: "x" }, /: PETSTORE_PORT must be a whole number/],
		[{ PETSTORE_RATE_LIMIT: "0/s" }, /: PETSTORE_RATE_LIMIT must be/],
		[{ PETSTORE_REUSE_PORT: "x" }, /: PETSTORE_REUSE_PORT must be true or/],
		[{ PETSTORE_API_KEY: "two words" }, /: PETSTORE_API_KEY must be 1 to 255/],
	])("petstore serve with %j", async (env, message) => {
		const { status, stderr } = await petstore(["serve"], env);
		expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
	});

	test("names the command whose help to read", async () => {
		const { stderr } = await petstore(["keys", "create"]);
		expect(stderr).toEndWith(
			'Run "petstore keys create --help" to see its arguments and flags.\n',
		);
	});
});
