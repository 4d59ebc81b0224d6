// Wrong usage, and what cannot be used: the exit status and one sentence, and nothing is created.
import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { flags } from "../../src/cli/commands/serve.ts";
import { readText, type Type } from "../../src/domain/types/type.ts";
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

test.each([
	[2, "", "no command was given"],
	[2, "srve", "unknown command 'srve'\n.Did you mean serve"],
	[2, "help srve", "unknown command 'srve'\n.Did you mean serve"],
	[2, "pets help ad", "unknown command 'ad'\n.Did you mean add"],
	[2, "serve --prot 1", "unknown option '--prot'\n.Did you mean --port"],
	[2, "serve --port a --drain -1", "--port must .* --drain must be a number"],
	[2, "serve --reuse-port", ".*--operator-address"],
	[2, "sandbox --allow-host a --allow-host :80", "--allow-host\\[1\\] must"],
	[2, "sandbox --data a.csv --pets 1", "Give either --data or --pets"],
	[2, 'sandbox --faults [{"status":1}]', "--faults\\[0\\].status must be"],
	[2, "sandbox --faults nofile", "--faults must be a list of fault rules"],
	[2, "keys change 1", "The body must have a name, an expiresAt or both."],
	[2, "serve --database postgres://u:a/hunter2@h/d", "The database must be"],
	[2, "pets change 1", ".*--category-id"],
	[1, "serve --tls-cert no.crt --tls-key no.key", "no.crt cannot be read: no"],
	[1, "serve --host 192.0.2.1", "Cannot listen on 192.0.2.1:0"],
	[1, "keys list --database sqlite:text", "The database text .*not a database"],
	[1, "keys list --database sqlite:none.db", "No database at none.db"],
	[1, "keys revoke 1 --database sqlite:none.db", "No database at none.db"],
	[
		1,
		"keys list --database postgres://127.0.0.1:1/pets?sslmode=verify-full&sslrootcert=no.crt",
		"The database pets on 127.0.0.1:1 cannot be used: .*no.crt",
	],
] as const)(
	"ends with status %d and one reason, and creates no file: petstore %s",
	async (expected, command, message) => {
		writeFileSync(place.path("text"), "This is not a database. ".repeat(50));
		const { status, stdout, stderr } = await place.run(command, { PORT: "0" });
		expect([status, stdout]).toEqual([expected, ""]);
		expect(stderr).toMatch(new RegExp(`^petstore: ${message}`));
		if (expected === 1) expect(stderr).toEndWith(".\n");
		expect(stderr).not.toMatch(/error:|hunter2|^ +at /m);
		expect(readdirSync(place.path())).toEqual(["text"]);
	},
);

test.each([
	[{ PORT: "x" }, /: PORT must be a whole number/],
	[{ PETSTORE_RATE_LIMIT: "0/s" }, /: PETSTORE_RATE_LIMIT must be/],
])("names the variable that is wrong in %j", async (env, message) => {
	const { status, stderr } = await place.run("serve", env);
	expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
});
