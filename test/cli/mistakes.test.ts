// How the command line explains itself: the version, the help, and the sentences for wrong usage.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import manifest from "../../package.json" with { type: "json" };
import { flags } from "../../src/cli/commands/serve.ts";
import { modules } from "../../src/cli/commands.ts";
import { readText, type Type } from "../../src/domain/type.ts";
import { usePlace } from "./place.ts";

const place = usePlace();

test.each(["-v", "serve --version"])("petstore %s prints the version", (args) =>
	expect(place.run(args)).resolves.toEqual({
		status: 0,
		stdout: `${manifest.version}\n`,
		stderr: "",
	}),
);

test.each(["", "serve", "keys", "keys create"])(
	"petstore %s --help prints the usage, with examples",
	async (command) => {
		const { status, stdout, stderr } = await place.run(`${command} --help`);
		expect([status, stderr]).toEqual([0, ""]);
		expect(stdout).toStartWith(`Usage: ${`petstore ${command}`.trim()} `);
		expect(stdout).toContain("Examples:\n  petstore");
	},
);

test("has every command that it lists", async () => {
	for (const [name, load] of Object.entries(modules))
		expect((await load()).command.name()).toBe(name);
});

test.each([
	[flags.host, "::::", false],
	[flags.host, "127.0.0.1:80", false],
	[flags.host, "fe80::1%eth0", true],
	[flags.operatorAddress, "[::::]:0", false],
	[flags.operatorAddress, "[::1]:0", true],
	[flags.operatorAddress, "localhost:65536", false],
	[flags.rateLimit, "fast", false],
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
		["srve", "unknown command 'srve'\n.Did you mean serve"],
		["serve --prot 1", "unknown option '--prot'\n.Did you mean --port"],
		["serve keys list", "too many arguments for 'serve'"],
		["serve --port 80a --drain -1", "--port must .* --drain must be a number"],
		["serve --reuse-port", ".*--operator-address"],
		["serve --tls-cert x.crt", "TLS needs both"],
		["sandbox --allow-host a --allow-host :80", "--allow-host\\[1\\] must be"],
		["sandbox --host 0.0.0.0", ".* without --allow-host"],
		["sandbox --data x.txt", ".*rename the file"],
		["sandbox --data a.csv --pets 1", "Give either --data or --pets"],
		["sandbox --data no.csv", "The file no.csv of --data cannot be read"],
		["sandbox --faults {", "--faults must be JSON"],
		['sandbox --faults [{"status":1}]', "faults\\[0\\].status must be"],
		["keys create", "--name is required"],
		["keys create --name x --expires-at soon", "--expires-at must be a time"],
		["keys change 1", "The body must have a name, an expiresAt or both."],
		["pets read 0", "petId must be a whole number"],
		["console --database sqlite::memory:", "An in-memory database belongs"],
		["serve --database mysql://h/d", "The database must be sqlite:PATH,"],
		["serve --database postgres:///pets", "The PostgreSQL URL names no host;"],
		["serve --database postgres://u:a/hunter2@h/d", "The PostgreSQL URL is"],
	])("petstore %s", async (command, message) => {
		const { status, stdout, stderr } = await place.run(command, { PORT: "0" });
		expect([status, stdout]).toEqual([2, ""]);
		expect(stderr).toMatch(new RegExp(`^petstore: ${message}`));
		expect(stderr).not.toMatch(/error:|hunter2|^ +at /m);
		expect(readdirSync(place.path())).toEqual([]);
	});

	test("names the command whose help to read", async () => {
		const { stderr } = await place.run("keys create");
		expect(stderr).toContain('Run "petstore keys create --help"');
	});

	test.each([
		[{ PORT: "x" }, /: PORT must be a whole number/],
		[{ PETSTORE_RATE_LIMIT: "0/s" }, /: PETSTORE_RATE_LIMIT must be/],
		[{ PETSTORE_REUSE_PORT: "x" }, /: PETSTORE_REUSE_PORT must be true or/],
		[{ PETSTORE_API_KEY: "two words" }, /: PETSTORE_API_KEY must be 1 to 255/],
	])("petstore serve with %j", async (env, message) => {
		const { status, stderr } = await place.run("serve", env);
		expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
	});
});

describe("a file, an address or a database that cannot be used ends with status 1 and one sentence", () => {
	test.each([
		["serve --tls-cert no.crt --tls-key no.key", "no.crt cannot be read: no"],
		["serve --host 192.0.2.1", "Cannot listen on 192.0.2.1:0"],
		["serve --host nowhere.invalid", ".*the host was not found"],
		["serve --database sqlite:folder", "The database folder is a folder"],
		["serve --database sqlite:file/x.db", ".* cannot be opened: not a direct"],
		["keys list --database sqlite:text", "The database text .* not a database"],
		["keys list --database sqlite:none.db", "No database at none.db"],
		["console --database sqlite:none.db", "No database at none.db"],
		[
			"keys list --database postgres://127.0.0.1:1/pets?sslmode=verify-full&sslrootcert=no.crt",
			"The database pets on 127.0.0.1:1 cannot be used: .*no.crt",
		],
		[
			"keys list --database postgres:///pets?host=/nowhere",
			"The database pets on /nowhere .*ENOENT",
		],
	])("petstore %s", async (command, message) => {
		mkdirSync(place.path("folder"));
		writeFileSync(place.path("file"), "");
		writeFileSync(place.path("text"), "This is not a database. ".repeat(50));
		const before = readdirSync(place.path());
		const { status, stdout, stderr } = await place.run(command, { PORT: "0" });
		expect([status, stdout]).toEqual([1, ""]);
		expect(stderr).toMatch(new RegExp(`^petstore: ${message}.*\\.\n$`));
		expect(readdirSync(place.path())).toEqual(before);
	});
});
