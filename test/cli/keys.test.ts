// `petstore keys`: what is printed where. test/operator has the rules.
import { expect, test } from "bun:test";
import { readWhen } from "../../src/cli/command.ts";
import { isKey } from "../../src/domain/access/secret.ts";
import { openStore } from "../../src/store/store.ts";
import { makeKey } from "../harness/key.ts";
import { usePlace } from "./place.ts";

const place = usePlace("file");
const keys = (command: string) => place.run(`keys ${command}`);
const list = async (): Promise<Record<string, unknown>[]> =>
	JSON.parse((await keys("list --json")).stdout).keys;

test("create prints only the key on stdout, and list its first 8 characters, until change and revoke", async () => {
	const first = await keys("create --name old --scope operator");
	const key = first.stdout.trimEnd();
	expect([first.status, isKey(key)]).toEqual([0, true]);
	expect(first.stderr).toContain("not shown again");
	expect(first.stderr).not.toContain("pet_");
	const change = (...args: string[]) =>
		place.run(["keys", "change", "1", ...args]);
	await change("--name", "a name", "--expires-at", "90d");
	const { stdout } = await keys("list");
	expect(stdout).toMatch(/^ID +NAME +PREFIX +SCOPE +CREATED +EXPIRES$/m);
	const row = `^ *1 +a name +${key.slice(0, 8)} +operator +now +in 90d$`;
	expect(stdout).toMatch(new RegExp(row, "m"));
	expect((await change("--expires-at", "")).status).toBe(0);
	expect((await list())[0]).not.toHaveProperty("expiresAt");
	await keys("revoke 1");
	expect((await change("--expires-at", "1d")).status).toBe(1);
	expect((await keys("revoke 999")).status).toBe(1);
});

test("list shows a page of keys, and says where the next one begins", async () => {
	const database = `sqlite:${place.path("data/petstore.db")}`;
	const store = await openStore(database, { access: "write" });
	for (let count = 0; count < 40; count++)
		await store.keys.add(makeKey({ name: "many" }).record);
	await store.close();
	const first = await keys("list");
	expect(first.stdout.trimEnd().split("\n")).toHaveLength(21);
	const [, cursor = ""] = /--cursor (\d+)/.exec(first.stderr) ?? [];
	const { stdout } = await keys(`list --cursor ${cursor} --json`);
	expect(JSON.parse(stdout).keys).toHaveLength(20);
});

const now = Date.UTC(2026, 0, 1, 12);

test.each([
	["30s", now + 30_000],
	["90d", now + 90 * 86_400_000],
	["2028-02-29", Date.UTC(2028, 1, 29)],
	["2027-02-29", undefined],
	["", undefined],
])("a time flag reads %p as %p", (text, time) => {
	expect(readWhen(text, now)).toBe(time);
});
