// `petstore keys`: what is printed where, and keys that are made and revoked beside a running service. test/operator has the rules.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readWhen } from "../../src/cli/command.ts";
import { isKey } from "../../src/domain/api-key.ts";
import { openStore } from "../../src/store/store.ts";
import { makeKey } from "../harness/key.ts";
import { usePlace } from "./place.ts";

const place = usePlace("file");
const keys = (command: string) => place.run(`keys ${command}`);
const list = async (): Promise<Record<string, unknown>[]> =>
	JSON.parse((await keys("list --json")).stdout).keys;

test("create prints only the key on stdout, and everything else on stderr", async () => {
	const first = await keys("create --name laptop");
	expect(first.status).toBe(0);
	expect(isKey(first.stdout.trimEnd())).toBe(true);
	expect(first.stderr).toContain("not shown again");
	expect(first.stderr).toContain("Created a new database");
	expect(first.stderr).not.toContain("pet_");
	const second = await keys("create --name x");
	expect(second.stderr).not.toContain("Created a new database");
});

test("create --json prints the reply of the operation", async () => {
	const { stdout, stderr } = await keys(
		"create --name ci --scope read --expires-at 2099-01-31 --json",
	);
	expect(JSON.parse(stdout)).toMatchObject({
		name: "ci",
		scope: "read",
		expiresAt: "2099-01-31T00:00:00.000Z",
		key: expect.stringMatching(/^pet_\w{38}$/),
	});
	expect(stderr).toBe("");
});

test("list shows only the first 8 characters of a key, and its times as ages", async () => {
	const { stdout: made } = await keys(
		"create --scope operator --expires-at 90d --name mine",
	);
	const { stdout } = await keys("list");
	expect(stdout).toMatch(/^ *ID +NAME +PREFIX +SCOPE +CREATED +EXPIRES$/m);
	const prefix = made.slice(0, 8);
	expect(stdout).toMatch(
		new RegExp(`^ *\\d+ +mine +${prefix} +operator +now +in 90d$`, "m"),
	);
	expect(stdout).not.toContain(made.slice(0, 9));
});

test("change gives a key another name and expiry, or none, until it is revoked", async () => {
	await keys("create --name old");
	const id = String((await list()).at(-1)?.id);
	const change = (...args: string[]) =>
		place.run(["keys", "change", id, ...args]);
	const { stdout } = await change("--name", "a name", "--expires-at", "90d");
	expect(stdout).toMatch(
		/^expires +\d{4}-\d\d-\d\d \d\d:\d\d UTC \(in 90d\)$/m,
	);
	expect((await change("--expires-at", "")).status).toBe(0);
	const changed = (await list()).at(-1);
	expect(changed).toMatchObject({ name: "a name" });
	expect(changed).not.toHaveProperty("expiresAt");
	await keys(`revoke ${id}`);
	expect((await change("--expires-at", "1d")).status).toBe(1);
	expect((await keys("revoke 999")).status).toBe(1);
});

test("list shows all keys, of several pages, or as many as --limit says", async () => {
	const database = `sqlite:${place.path("data/petstore.db")}`;
	const store = await openStore(database, { access: "write" });
	for (let count = 0; count < 120; count++)
		await store.keys.add(makeKey({ name: "many" }).record);
	const all = await store.keys.list();
	await store.close();
	expect(await list()).toHaveLength(all.length);
	const some = await keys("list --limit 101");
	expect(some.stdout.trimEnd().split("\n")).toHaveLength(102);
	expect(some.stderr).toContain("--limit");
});

test.each(["keys list", "keys revoke 1", "pets read 1", "pets remove 1"])(
	"%s does not create a database",
	async (command) => {
		const refused = await place.run(`${command} --database sqlite:none.db`);
		expect(refused.status).toBe(1);
		expect(refused.stderr).toContain("No database at none.db");
		expect(existsSync(place.path("none.db"))).toBe(false);
	},
);

test("create makes ten keys when ten processes run it on the same new file at once", async () => {
	const database = "--database sqlite:new/keys.db";
	const made = await Promise.all(
		Array.from({ length: 10 }, () => keys(`create --name x ${database}`)),
	);
	expect(made.map(({ status, stderr }) => status === 0 || stderr)).toEqual(
		Array(10).fill(true),
	);
	const { stdout } = await keys(`list --json ${database}`);
	expect(JSON.parse(stdout).keys).toHaveLength(10);
});

test("create and revoke take effect while the service runs", async () => {
	const service = await place.serve();
	const { stdout } = await keys("create --name live --json");
	const { id, key } = JSON.parse(stdout);
	const status = async () => {
		const headers = { Authorization: `Bearer ${key}` };
		return (await fetch(`${service.url}/v1/pets`, { headers })).status;
	};
	expect(await status()).toBe(200);
	await keys(`revoke ${id}`);
	await Bun.sleep(1_000);
	expect(await status()).toBe(401);
});

const now = Date.UTC(2026, 0, 1, 12);

test.each([
	["30s", now + 30_000],
	["90d", now + 90 * 86_400_000],
	["2028-02-29", Date.UTC(2028, 1, 29)],
	["2027-02-29", undefined],
	["", undefined],
	["-1d", undefined],
])("a time flag reads %p as %p", (text, time) => {
	expect(readWhen(text, now)).toBe(time);
});
