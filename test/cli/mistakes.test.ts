// Wrong usage, and what cannot be used: the exit status and one sentence, and nothing is created.
import { describe, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { flags } from "../../src/cli/commands/serve.ts";
import { readText, type Type } from "../../src/domain/type.ts";
import { usePlace } from "./place.ts";

const place = usePlace();

test.each([
	[flags.host, "::::", false],
	[flags.host, "127.0.0.1:80", false],
	[flags.host, "fe80::1%eth0", true],
	[flags.operatorAddress, "[::::]:0", false],
	[flags.operatorAddress, "localhost:65536", false],
	[flags.rateLimit, "fast", false],
	[flags.backupEvery, "9s", false],
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
		["serve --port 80a --drain -1", "--port must .* --drain must be a number"],
		["serve --reuse-port", ".*--operator-address"],
		["sandbox --allow-host a --allow-host :80", "--allow-host\\[1\\] must be"],
		["sandbox --data a.csv --pets 1", "Give either --data or --pets"],
		['sandbox --faults [{"status":1}]', "--faults\\[0\\].status must be"],
		["keys change 1", "The body must have a name, an expiresAt or both."],
		["serve --database postgres://u:a/hunter2@h/d", "The PostgreSQL URL is"],
	])("petstore %s", async (command, message) => {
		const { status, stdout, stderr } = await place.run(command, { PORT: "0" });
		expect([status, stdout]).toEqual([2, ""]);
		expect(stderr).toMatch(new RegExp(`^petstore: ${message}`));
		expect(stderr).not.toMatch(/error:|hunter2|^ +at /m);
		expect(readdirSync(place.path())).toEqual([]);
	});

	test.each([
		[{ PORT: "x" }, /: PORT must be a whole number/],
		[{ PETSTORE_RATE_LIMIT: "0/s" }, /: PETSTORE_RATE_LIMIT must be/],
	])("petstore serve with %j", async (env, message) => {
		const { status, stderr } = await place.run("serve", env);
		expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
	});
});

describe("a file, an address or a database that cannot be used ends with status 1 and one sentence", () => {
	test.each([
		["serve --tls-cert no.crt --tls-key no.key", "no.crt cannot be read: no"],
		["serve --host 192.0.2.1", "Cannot listen on 192.0.2.1:0"],
		["keys list --database sqlite:text", "The database text .* not a database"],
		["keys list --database sqlite:none.db", "No database at none.db"],
		["keys revoke 1 --database sqlite:none.db", "No database at none.db"],
		[
			"keys list --database postgres://127.0.0.1:1/pets?sslmode=verify-full&sslrootcert=no.crt",
			"The database pets on 127.0.0.1:1 cannot be used: .*no.crt",
		],
	])("petstore %s", async (command, message) => {
		writeFileSync(place.path("text"), "This is not a database. ".repeat(50));
		const before = readdirSync(place.path());
		const { status, stdout, stderr } = await place.run(command, { PORT: "0" });
		expect([status, stdout]).toEqual([1, ""]);
		expect(stderr).toMatch(new RegExp(`^petstore: ${message}.*\\.\n$`));
		expect(readdirSync(place.path())).toEqual(before);
	});
});
