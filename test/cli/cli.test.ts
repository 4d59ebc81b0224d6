// The command line: help, wrong usage, keys and the OpenAPI document.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { readWhen } from "../../src/cli/flags.ts";
import { isKey } from "../../src/domain/api-key.ts";
import { openStore } from "../../src/store/open.ts";
import { makeKey } from "../harness/key.ts";
import {
	petstore as bin,
	type Finished,
	root,
	run,
	serve,
	start,
} from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
	folder = temporaryFolder();
});
afterAll(() => folder.remove());

const petstore = (args: readonly string[], env: Record<string, string> = {}) =>
	run(args, { cwd: folder.path, env });

describe("help", () => {
	test.each([
		[],
		["serve"],
		["keys"],
		["keys", "create"],
		["keys", "list"],
		["keys", "revoke"],
		["pets"],
		["pets", "list"],
		["pets", "remove"],
		["status"],
		["openapi"],
		["backup"],
		["restore"],
		["check"],
		["verify"],
	])(
		"petstore %s %s --help prints the usage, with examples",
		async (...command) => {
			const { status, stdout, stderr } = await petstore([...command, "--help"]);
			expect([status, stderr]).toEqual([0, ""]);
			expect(stdout).toContain(`Usage: ${["petstore", ...command].join(" ")}`);
			expect(stdout).toContain("Examples:\n  petstore");
		},
	);

	test("prints colours only if FORCE_COLOR is set and NO_COLOR is not", async () => {
		const coloured = async (env: Record<string, string>) =>
			(await petstore(["--help"], env)).stdout.includes("\u001b[");
		expect(await coloured({})).toBe(false);
		expect(await coloured({ FORCE_COLOR: "1" })).toBe(true);
		expect(await coloured({ FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
	});

	test("--version prints the version", async () => {
		const { status, stdout } = await petstore(["--version"]);
		expect([status, stdout]).toEqual([0, `${manifest.version}\n`]);
	});
});

describe("wrong usage ends with status 2 and says what is wrong", () => {
	test.each([
		[["srve"], /unknown command 'srve'\s*\(Did you mean serve\?/],
		[
			["serve", "--prot", "1"],
			/unknown option '--prot'\s*\(Did you mean --port\?/,
		],
		[["keys", "creat"], /Did you mean create\?/],
		[
			["serve", "--port", "65536"],
			/'--port <number>'.*whole number from 0 to 65535/,
		],
		[["serve", "--port", "80a"], /whole number/],
		[
			["serve", "--rate-limit", "fast"],
			/'--rate-limit <rate>'.*100\/s, 600\/m or 5000\/h/,
		],
		[["serve", "--drain", "-1"], /number of seconds/],
		[["serve", "--host", "a b"], /host name or an IP address/],
		[["serve", "--base-url", "pets.example"], /http or https address/],
		[["serve", "--base-url", "https://x/?y"], /http or https address/],
		[["serve", "extra"], /too many arguments/],
		[["serve", "--port", "0", "--database", "mysql://u:p@h/d"], /sqlite:PATH/],
		[["keys", "create"], /'--name <name>' not specified/],
		[["keys", "create", "--name", ""], /1 to 100 characters/],
		[
			["keys", "create", "--name", "a\u001b[31m"],
			/control or formatting character/,
		],
		[["keys", "create", "--name", "x", "--scope", "all"], /read, read-write/],
		[["keys", "create", "--name", "x", "--expires", "soon"], /90d/],
		[
			["keys", "create", "--name", "x", "--expires", "2020-01-01"],
			/in the future/,
		],
		[["keys", "create", "--name", "x", "--expires", "0d"], /in the future/],
		[
			"keys create --name x --expires 9999-12-31T23:59:59-01:00".split(" "),
			/before the year 10000 in UTC/,
		],
		[["keys", "revoke"], /missing required argument 'id'/],
		[["keys", "revoke", "x"], /whole number/],
		[[], /Usage: petstore/],
	])(
		"refuses petstore %p with the reason, and creates no file",
		async (args, message) => {
			const empty = temporaryFolder();
			const { status, stdout, stderr } = await run(args, { cwd: empty.path });
			expect([status, stdout]).toEqual([2, ""]);
			expect(stderr).toMatch(message);
			expect(readdirSync(empty.path)).toEqual([]);
			empty.remove();
		},
	);

	test("refuses a wrong value of an environment variable too", async () => {
		for (const [env, message] of [
			[{ PORT: "x" }, /from env 'PORT' is invalid/],
			[{ PETSTORE_PORT: "x" }, /from env 'PETSTORE_PORT' is invalid/],
			[
				{ PETSTORE_RATE_LIMIT: "0/s" },
				/from env 'PETSTORE_RATE_LIMIT' is invalid/,
			],
			[
				{ PETSTORE_API_KEY: "two words" },
				/PETSTORE_API_KEY must be 1 to 255 visible ASCII/,
			],
		] as const) {
			const { status, stderr } = await petstore(["serve"], env);
			expect(status).toBe(2);
			expect(stderr).toMatch(message);
		}
	});
});

describe("keys", () => {
	const database = () => ["--database", `sqlite:${folder.path}/keys.db`];
	const keys = (...args: string[]) =>
		petstore(["keys", ...args, ...database()]);
	const list = async (): Promise<Record<string, unknown>[]> =>
		JSON.parse((await keys("list", "--json")).stdout);

	test("create prints only the key on stdout, and everything else on stderr", async () => {
		const { status, stdout, stderr } = await keys("create", "--name", "laptop");
		expect(status).toBe(0);
		expect(isKey(stdout.trimEnd())).toBe(true);
		expect(stdout).toEndWith("\n");
		expect(stderr).toMatch(
			/^Made key \d+ in sqlite:.*keys\.db \(read-write, never expires\)\./,
		);
		expect(stderr).not.toContain("pet_");
	});

	test("create says whether it has made a new database", async () => {
		const args = [
			"keys",
			"create",
			"--name",
			"x",
			"--database",
			"sqlite:new.db",
		];
		const [first, second] = [await petstore(args), await petstore(args)];
		expect(first.stderr).toContain("Created a new database");
		expect(second.stderr).not.toContain("Created a new database");
	});

	test("create and revoke show their times in UTC", async () => {
		const made = await keys(
			..."create --name dated --expires 2099-01-31".split(" "),
		);
		expect(made.stderr).toContain("expires 2099-01-31 00:00:00 UTC)");
		const id = /^Made key (\d+) /.exec(made.stderr)?.[1] ?? "";
		await keys("revoke", id);
		expect((await keys("revoke", id)).stderr).toMatch(
			/was already revoked at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\.\n$/,
		);
	});

	test("create --json prints one object", async () => {
		const { stdout, stderr } = await keys(
			..."create --name ci --scope read --expires 2099-01-31 --json".split(" "),
		);
		expect(JSON.parse(stdout)).toEqual({
			id: expect.any(Number),
			name: "ci",
			key: expect.stringMatching(/^pet_\w{38}$/),
			scope: "read",
			expiresAt: "2099-01-31T00:00:00.000Z",
		});
		expect(stderr).toBe("");
		expect((await keys("create", "--name", "x", "--json")).stdout).toContain(
			'"expiresAt": null',
		);
	});

	test("list shows only the first 8 characters of a key, and everything else about it", async () => {
		const key = (await keys("create", "--name", "my key")).stdout.trim();
		const { stdout } = await keys("list");
		expect(stdout).toMatch(
			/^ *ID +NAME +KEY +SCOPE +EXPIRES +LAST USED +DEPRECATED$/m,
		);
		expect(stdout).toMatch(
			new RegExp(
				`^ *\\d+ +my key +${key.slice(0, 8)}… +read-write +never +never +never$`,
				"m",
			),
		);
		expect(stdout).not.toContain(key.slice(0, 9));
		expect((await list()).at(-1)).toEqual({
			id: expect.any(Number),
			name: "my key",
			prefix: key.slice(0, 8),
			scope: "read-write",
			state: "valid",
			createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
			expiresAt: null,
			revokedAt: null,
			lastUsedAt: null,
			deprecatedUseAt: null,
		});
	});

	test("revoke says whether it revoked the key, found it revoked, or found no key", async () => {
		await keys("create", "--name", "short-lived");
		const id = String((await list()).at(-1)?.id);
		expect(await keys("revoke", id)).toMatchObject({
			status: 0,
			stdout: "",
			stderr: `Revoked key ${id} (short-lived).\n`,
		});
		expect(await keys("revoke", id)).toMatchObject({
			status: 0,
			stderr: expect.stringMatching(/was already revoked at \d{4}-/),
		});
		expect((await list()).at(-1)).toMatchObject({ state: "revoked" });
		expect(await keys("revoke", "999")).toMatchObject({
			status: 1,
			stderr: expect.stringMatching(
				/^petstore: No key has the id 999; see ".+ keys list"\.\n$/,
			),
		});
	});

	test("list shows all keys, even more than 120", async () => {
		const store = await openStore(`sqlite:${folder.path}/keys.db`, {
			create: false,
		});
		for (let count = 0; count < 120; count++)
			await store.keys.add(makeKey({ name: "many" }).record);
		const all = await store.keys.list();
		await store.close();
		expect(await list()).toHaveLength(all.length);
	});

	test("list cuts long names to fit into 80 columns", async () => {
		const name = "a name of so many characters that it is cut";
		const args = ["--scope", "operator", "--expires", "90d"];
		await keys("create", "--name", name, ...args);
		await keys("create", "--name", "犬".repeat(15), ...args);
		const { stdout } = await keys("list");
		expect(stdout).toMatch(/^\d+ +a name of so ma… +pet_/m);
		expect(stdout).toMatch(/^\d+ +犬{7}… +pet_/m);
		const lines = stdout.split("\n");
		expect(lines.filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
	});

	describe("Names on a terminal", () => {
		// No command makes a key with this name, but another program may write one into the database.
		test("escapes characters of a name that control the terminal or reverse text", async () => {
			const { path } = temporaryFolder();
			const url = `sqlite:${path}/petstore.db`;
			const store = await openStore(url, { create: true });
			const { record } = makeKey({ name: "a\u202eb\u001b[2J\u2066" });
			const { id } = await store.keys.add(record);
			await store.close();
			for (const args of [
				["keys", "list"],
				["keys", "revoke", String(id)],
				["keys", "revoke", String(id)],
			]) {
				const { stdout, stderr } = await petstore([...args, "--database", url]);
				expect([args, stdout + stderr]).toEqual([
					args,
					expect.stringContaining("a\\u202eb\\u001b"),
				]);
				expect(stdout + stderr).not.toMatch(
					/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u,
				);
			}
		});
	});

	test("rename gives a key another name", async () => {
		await keys("create", "--name", "old");
		const id = String((await list()).at(-1)?.id);
		expect(await keys("rename", id, "new name")).toMatchObject({
			status: 0,
			stdout: "",
			stderr: `Renamed key ${id} to new name.\n`,
		});
		expect((await list()).at(-1)).toMatchObject({ name: "new name" });
		expect(await keys("rename", "999", "x")).toMatchObject({
			status: 1,
			stderr: expect.stringMatching(
				/^petstore: No key has the id 999; see ".+ keys list"\.\n$/,
			),
		});
		expect((await keys("rename", id, " ")).status).toBe(2);
	});

	test("list and revoke do not create a database", async () => {
		for (const args of [["list"], ["revoke", "1"]])
			expect(
				await petstore(["keys", ...args, "--database", "sqlite:none.db"]),
			).toMatchObject({
				status: 1,
				stderr: "petstore: No database at none.db; check the path.\n",
			});
		expect(existsSync(join(folder.path, "none.db"))).toBe(false);
	});

	test("create makes ten keys when ten processes run it on the same new file at once", async () => {
		const name = `${crypto.randomUUID()}/keys.db`;
		const fresh = ["--database", `sqlite:${folder.path}/${name}`];
		const made = await Promise.all(
			Array.from({ length: 10 }, (_, index) =>
				petstore(["keys", "create", "--name", `key ${index}`, ...fresh]),
			),
		);
		expect(made.map(({ status, stderr }) => status === 0 || stderr)).toEqual(
			Array(10).fill(true),
		);
		const { stdout } = await petstore(["keys", "list", "--json", ...fresh]);
		expect(JSON.parse(stdout)).toHaveLength(10);
	});

	describe("Life", () => {
		test("create and revoke take effect while the service runs", async () => {
			const service = await serve(database(), { cwd: folder.path });
			const { stdout } = await keys(
				..."create --name live --expires 1d --json".split(" "),
			);
			const { id, key } = JSON.parse(stdout);
			const status = async () =>
				(
					await fetch(`${service.url}/v1/pets`, {
						headers: { Authorization: `Bearer ${key}` },
					})
				).status;
			expect(await status()).toBe(200);
			await keys("revoke", String(id));
			await Bun.sleep(1_000);
			expect(await status()).toBe(401);
			service.kill("SIGTERM");
			expect((await service.finished).status).toBe(0);
		});
	});
});

test("revokes a new key that it cannot print", async () => {
	const { finished } = start(
		[
			"sh",
			"-c",
			`exec ${bin} keys create --name lost --database sqlite:lost.db > /dev/full`,
		],
		{ cwd: folder.path },
	);
	const { status, stderr } = await finished;
	expect(status).toBe(1);
	expect(stderr).toMatch(/^petstore: The output cannot be written: .*\.\n$/);
	const list = ["keys", "list", "--json", "--database", "sqlite:lost.db"];
	expect(JSON.parse((await petstore(list)).stdout)).toMatchObject([
		{ name: "lost", state: "revoked" },
	]);
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
		const { finished } = start(
			["sh", "-c", `(${bin} ${command}; echo $? >&2) | true`],
			{ cwd: folder.path },
		);
		expect((await finished).stderr).toBe(expected);
	},
);

test("prints everything even if the other end of the pipe reads it late", async () => {
	const script = `require("${root}src/cli/terminal/print.ts").print("é".repeat(200_000))`;
	const { finished } = start(
		["sh", "-c", `"${process.execPath}" -e '${script}' | (sleep 0.3; cat)`],
		{ cwd: folder.path },
	);
	expect(await finished).toEqual({
		status: 0,
		stdout: "é".repeat(200_000),
		stderr: "",
	});
});

describe("--expires", () => {
	const now = Date.UTC(2026, 0, 1, 12);
	test.each([
		["30s", now + 30_000],
		["15m", now + 15 * 60_000],
		["12h", now + 12 * 3_600_000],
		["90d", now + 90 * 86_400_000],
		["2027-01-31", Date.UTC(2027, 0, 31)],
		["2028-02-29", Date.UTC(2028, 1, 29)],
	])("accepts %s", (text, time) => {
		expect(readWhen(text, now, 1)).toBe(time);
	});
	test.each([
		"",
		"90",
		"d",
		"1w",
		"-1d",
		"1.5h",
		"2027-02-29",
		"2027-13-01",
		"2027-1-1",
		"9999999d",
		"9999-12-31T23:59:59-00:01",
		"0000-01-01T00:00:00+00:01",
	])("refuses %j", (text) => {
		expect(readWhen(text, now, 1)).toBeUndefined();
	});
});

describe("openapi", () => {
	test("openapi prints the same document as the file openapi.json", async () => {
		const { status, stdout } = await petstore(["openapi"]);
		expect(status).toBe(0);
		expect(stdout).toBe(readFileSync(`${root}openapi.json`, "utf8"));
	});
	test("openapi --interface operator prints the same document as the file operator-openapi.json", async () => {
		const { stdout } = await petstore(["openapi", "--interface", "operator"]);
		expect(stdout).toBe(readFileSync(`${root}operator-openapi.json`, "utf8"));
	});
	test.each([
		[["--openapi", "3.0"], "3.0.3"],
		[["--base-url", "https://pets.example", "--openapi", "3.0"], "3.0.3"],
		[["--openapi=3.0"], "3.0.3"],
		[["--openapi", "3.1"], "3.1.0"],
	])("openapi %j prints OpenAPI %s", async (flags, version) => {
		const { stdout } = await petstore(["openapi", ...flags]);
		expect(JSON.parse(stdout).openapi).toBe(version);
	});
	test("openapi refuses another version of OpenAPI", async () => {
		const { status, stderr } = await petstore(["openapi", "--openapi", "2.0"]);
		expect(status).toBe(2);
		expect(stderr).toStartWith(
			"petstore: option '--openapi <version>' argument '2.0' is invalid. Allowed choices are 3.1, 3.0.",
		);
	});
	describe("Base addresses", () => {
		test.each([
			["https://pets.example", "https://pets.example/v1"],
			["https://pets.example/", "https://pets.example/v1"],
			["https://pets.example/v1", "https://pets.example/v1"],
			["https://pets.example/shop/v1/", "https://pets.example/shop/v1"],
		])("openapi shows the base URL %s as %s", async (url, named) => {
			const servers = (finished: Finished) =>
				JSON.parse(finished.stdout).servers.map(
					(server: { url: string }) => server.url,
				);
			const flags = ["openapi", "--base-url", url, "--staging-url", url];
			expect(servers(await petstore(flags))).toEqual([named, named]);
			const env = { PETSTORE_BASE_URL: url };
			expect(servers(await petstore(["openapi"], env))).toEqual([named]);
		});
		test("openapi shows /v1 without a base URL, and calls neither /v1 nor localhost production", async () => {
			const { stdout } = await petstore(["openapi"]);
			expect(JSON.parse(stdout).servers).toEqual([
				{ url: "/v1", description: "The service with this document" },
			]);
			const local = ["openapi", "--base-url", "http://localhost:8080"];
			expect(JSON.parse((await petstore(local)).stdout).servers).toEqual([
				{ url: "http://localhost:8080/v1", description: "This machine" },
			]);
			const staging = ["openapi", "--staging-url", "https://staging.example"];
			expect(JSON.parse((await petstore(staging)).stdout).servers).toEqual([
				{ url: "/v1", description: "The service with this document" },
				{ url: "https://staging.example/v1", description: "Staging" },
			]);
		});
	});
});

describe("Versions", () => {
	test("openapi prints a document with the version 1.0.0 and the prefix /v1", async () => {
		const { stdout } = await petstore(["openapi"]);
		expect(JSON.parse(stdout)).toMatchObject({
			info: { version: "1.0.0" },
			servers: [{ url: "/v1" }],
		});
	});
});
