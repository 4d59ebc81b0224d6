// `petstore keys`: makes, lists, changes and revokes keys, while the service runs or not.
import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readWhen } from "../../src/cli/command.ts";
import { isKey } from "../../src/domain/api-key.ts";
import { openStore } from "../../src/store/store.ts";
import { makeKey } from "../harness/key.ts";
import { petstore as bin, run, serve, start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const url = `sqlite:${folder.path}/keys.db`;
const keys = (...args: string[]) =>
	run(["keys", ...args, "--database", url], { cwd: folder.path });
const list = async (): Promise<Record<string, unknown>[]> =>
	JSON.parse((await keys("list", "--json")).stdout).keys;

test("create prints only the key on stdout, and everything else on stderr", async () => {
	const first = await keys("create", "--name", "laptop");
	expect(first.status).toBe(0);
	expect(isKey(first.stdout.trimEnd())).toBe(true);
	expect(first.stderr).toContain("not shown again");
	expect(first.stderr).toContain("Created a new database");
	expect(first.stderr).not.toContain("pet_");
	const second = await keys("create", "--name", "x");
	expect(second.stderr).not.toContain("Created a new database");
});

test("create --json prints the reply of the operation", async () => {
	const { stdout, stderr } = await keys(
		..."create --name ci --scope read --expires-at 2099-01-31 --json".split(
			" ",
		),
	);
	expect(JSON.parse(stdout)).toEqual({
		id: expect.any(Number),
		name: "ci",
		prefix: stdout.match(/pet_\w{4}/)?.[0],
		scope: "read",
		createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
		expiresAt: "2099-01-31T00:00:00.000Z",
		key: expect.stringMatching(/^pet_\w{38}$/),
	});
	expect(stderr).toBe("");
});

test("list shows only the first 8 characters of a key, and its times as ages", async () => {
	const args = "create --scope operator --expires-at 90d --name".split(" ");
	const key = (await keys(...args, "my key")).stdout.trim();
	const { stdout } = await keys("list");
	expect(stdout).toMatch(/^ *ID +NAME +PREFIX +SCOPE +CREATED +EXPIRES$/m);
	expect(stdout).toMatch(
		new RegExp(
			`^ *\\d+ +my key +${key.slice(0, 8)} +operator +now +in 90d$`,
			"m",
		),
	);
	expect(stdout).not.toContain(key.slice(0, 9));
	expect((await list()).at(-1)).toMatchObject({ name: "my key" });
});

test("change gives a key another name and expiry, or none", async () => {
	await keys("create", "--name", "old");
	const id = String((await list()).at(-1)?.id);
	const change = (...args: string[]) => keys("change", id, ...args);
	const both = ["--name", "new name", "--expires-at", "90d"];
	expect((await change(...both)).stdout).toMatch(
		/^expires +\d{4}-\d\d-\d\d \d\d:\d\d UTC \(in 90d\)$/m,
	);
	expect((await change("--expires-at", "")).status).toBe(0);
	const changed = (await list()).at(-1);
	expect(changed).toMatchObject({ name: "new name" });
	expect(changed).not.toHaveProperty("expiresAt");
	expect((await keys("change", "999", "--name", "x")).status).toBe(1);
	expect((await change("--name", " ")).status).toBe(2);
	await keys("revoke", id);
	expect(await list()).toContainEqual(
		expect.objectContaining({ revokedAt: expect.any(String) }),
	);
	expect((await change("--expires-at", "1d")).status).toBe(1);
	expect((await keys("revoke", "999")).status).toBe(1);
});

test("list shows all keys, and escapes what could control the terminal", async () => {
	const store = await openStore(url, { access: "write" });
	for (let count = 0; count < 120; count++)
		await store.keys.add(makeKey({ name: "many" }).record);
	await store.keys.add(makeKey({ name: "a\u202eb\u001b" }).record);
	const all = await store.keys.list();
	await store.close();
	expect(await list()).toHaveLength(all.length);
	const { stdout } = await keys("list");
	expect(stdout).toContain("a\\u202eb\\u001b");
	const some = await keys("list", "--limit", "101");
	expect(some.stdout.trimEnd().split("\n")).toHaveLength(102);
	expect(some.stderr).toContain("--limit");
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
	expect(JSON.parse(stdout).keys).toHaveLength(10);
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
		revokedAt: expect.any(String),
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
])("a time flag reads %p as %p", (text, time) => {
	expect(readWhen(text, now)).toBe(time);
});
