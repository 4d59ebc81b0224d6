// `petstore keys`: makes, lists, renames and revokes keys, while the service runs or not.
import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readWhen } from "../../src/cli/flags.ts";
import { isKey } from "../../src/domain/api-key.ts";
import { openStore } from "../../src/store/open.ts";
import { makeKey } from "../harness/key.ts";
import { petstore as bin, run, serve, start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const url = `sqlite:${folder.path}/keys.db`;
const keys = (...args: string[]) =>
	run(["keys", ...args, "--database", url], { cwd: folder.path });
const list = async (): Promise<Record<string, unknown>[]> =>
	JSON.parse((await keys("list", "--json")).stdout);

test("create prints only the key on stdout, and everything else on stderr", async () => {
	const first = await keys("create", "--name", "laptop");
	expect(first.status).toBe(0);
	expect(isKey(first.stdout.trimEnd())).toBe(true);
	expect(first.stderr).toMatch(/^Made key 1 in .* \(read-write, never expires/);
	expect(first.stderr).toContain("Created a new database");
	expect(first.stderr).not.toContain("pet_");
	const dated = await keys(
		..."create --name x --expires 2099-01-31".split(" "),
	);
	expect(dated.stderr).toContain("expires 2099-01-31 00:00:00 UTC)");
	expect(dated.stderr).not.toContain("Created a new database");
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
		stderr: expect.stringMatching(/already revoked at \d{4}-.* UTC\.\n$/),
	});
	expect((await list()).at(-1)).toMatchObject({ state: "revoked" });
	expect(await keys("revoke", "999")).toMatchObject({
		status: 1,
		stderr: expect.stringContaining("No key has the id 999;"),
	});
});

test("rename gives a key another name", async () => {
	await keys("create", "--name", "old");
	const id = String((await list()).at(-1)?.id);
	expect((await keys("rename", id, "new name")).status).toBe(0);
	expect((await list()).at(-1)).toMatchObject({ name: "new name" });
	expect((await keys("rename", "999", "x")).status).toBe(1);
	expect((await keys("rename", id, " ")).status).toBe(2);
});

test("list shows all keys, cuts long names to fit into 80 columns, and escapes what could control the terminal", async () => {
	const store = await openStore(url, { create: false });
	for (let count = 0; count < 120; count++)
		await store.keys.add(makeKey({ name: "many" }).record);
	const names = [
		"a name of so many characters",
		"犬".repeat(15),
		"a\u202eb\u001b",
	];
	for (const name of names)
		await store.keys.add(makeKey({ name, scope: "operator" }).record);
	const all = await store.keys.list();
	await store.close();
	expect(await list()).toHaveLength(all.length);
	const { stdout } = await keys("list");
	expect(stdout).toMatch(/^ *\d+ +a name of so ma… +pet_/m);
	expect(stdout).toMatch(/^ *\d+ +犬{7}… +pet_/m);
	expect(stdout).toContain("a\\u202eb\\u001b");
	const lines = stdout.split("\n");
	expect(lines.filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
});

test("list and revoke do not create a database", async () => {
	const none = ["--database", "sqlite:none.db"];
	for (const args of [["list"], ["revoke", "1"]]) {
		const refused = await run(["keys", ...args, ...none], { cwd: folder.path });
		expect(refused.status).toBe(1);
		expect(refused.stderr).toContain("No database at none.db");
	}
	expect(existsSync(`${folder.path}/none.db`)).toBe(false);
});

test("create makes ten keys when ten processes run it on the same new file at once", async () => {
	const fresh = ["--database", "sqlite:new/keys.db"];
	const options = { cwd: folder.path };
	const made = await Promise.all(
		Array.from({ length: 10 }, (_, index) =>
			run(["keys", "create", "--name", `key ${index}`, ...fresh], options),
		),
	);
	expect(made.map(({ status, stderr }) => status === 0 || stderr)).toEqual(
		Array(10).fill(true),
	);
	const { stdout } = await run(["keys", "list", "--json", ...fresh], options);
	expect(JSON.parse(stdout)).toHaveLength(10);
});

test("create and revoke take effect while the service runs", async () => {
	const service = await serve(["--database", url], { cwd: folder.path });
	const { stdout } = await keys("create", "--name", "live", "--json");
	const { id, key } = JSON.parse(stdout);
	const status = async () => {
		const headers = { Authorization: `Bearer ${key}` };
		return (await fetch(`${service.url}/v1/pets`, { headers })).status;
	};
	expect(await status()).toBe(200);
	await keys("revoke", String(id));
	await Bun.sleep(1_000);
	expect(await status()).toBe(401);
	service.kill("SIGTERM");
	expect((await service.finished).status).toBe(0);
});

test("revokes a new key that it cannot print", async () => {
	const create = `${bin} keys create --name lost --database ${url}`;
	const lost = start(["sh", "-c", `exec ${create} > /dev/full`], {
		cwd: folder.path,
	});
	const { status, stderr } = await lost.finished;
	expect(status).toBe(1);
	expect(stderr).toMatch(/^petstore: The output cannot be written: .*\.\n$/);
	expect((await list()).at(-1)).toMatchObject({
		name: "lost",
		state: "revoked",
	});
});

const now = Date.UTC(2026, 0, 1, 12);

test.each([
	["30s", now + 30_000],
	["15m", now + 15 * 60_000],
	["12h", now + 12 * 3_600_000],
	["90d", now + 90 * 86_400_000],
	["2027-01-31", Date.UTC(2027, 0, 31)],
	["2028-02-29", Date.UTC(2028, 1, 29)],
	["", undefined],
	["90", undefined],
	["-1d", undefined],
	["2027-02-29", undefined],
	["9999-12-31T23:59:59-00:01", undefined],
])("--expires reads %p as %p", (text, time) => {
	expect(readWhen(text, now, 1)).toBe(time);
});
