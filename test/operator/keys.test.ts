// The keys in the operator interface.
import { describe, expect, test } from "bun:test";
import { maxInt64 } from "../../src/domain/types/json.ts";
import { expectError } from "../service.ts";
import { call as callAny, type OperatorCall, onTwoProcesses } from "./calls.ts";

const keysPath = "/operator/v1/keys";
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Key {
	readonly id: number;
	readonly lastUsedAt?: string;
	readonly deprecatedUseAt?: string;
	readonly revokedAt?: string;
}

describe("Keys in the operator interface", () => {
	onTwoProcesses((processes) => {
		const call = async (path: string, options: OperatorCall = {}) => {
			const { service, key } = processes();
			return callAny(service.send, path, { key, ...options });
		};
		const create = async (body: object) => {
			const reply = await call(keysPath, { method: "POST", body });
			expect(reply.status).toBe(201);
			expect(reply.headers.get("Cache-Control")).toBe("no-store");
			return reply.json();
		};
		const change = (id: number, body: object) =>
			call(`${keysPath}/${id}`, { method: "PATCH", body });
		const revoke = (id: number, key?: string) =>
			call(`${keysPath}/${id}`, { method: "DELETE", ...(key && { key }) });
		const readPage = async (query: string) =>
			(await call(`${keysPath}?${query}`)).json();
		/** All keys, page by page. */
		const list = async (limit = 100): Promise<Key[]> => {
			const all = [];
			for (let query: string | undefined = `limit=${limit}`; query; ) {
				const { keys, next } = await readPage(query);
				expect(keys.length).toBeWithin(1, limit + 1);
				all.push(...keys);
				query = next && `limit=${limit}&cursor=${next}`;
			}
			return all;
		};
		const find = async (id: number) =>
			(await list()).find((one) => one.id === id);
		/** The status of a list with the key, on both processes. */
		const accepted = async (key: string, path = "/v1/pets") => {
			const { service, other } = processes();
			const replies = [service.send, other.fetch].map((send) =>
				callAny(send, path, { key }),
			);
			return (await Promise.all(replies)).map(({ status }) => status);
		};

		test("makes a key and shows its secret once, and lists the key without it", async () => {
			const { key, ...made } = await create({ name: "partner" });
			expect(made).toEqual({
				id: expect.any(Number),
				name: "partner",
				prefix: key.slice(0, 8),
				scope: "read-write",
				createdAt: expect.stringMatching(time),
			});
			expect(await accepted(key)).toEqual([200, 200]);
			// The use is recorded after the reply.
			while ((await find(made.id))?.lastUsedAt === undefined)
				await Bun.sleep(10);
			expect(await find(made.id)).toEqual({
				...made,
				lastUsedAt: expect.stringMatching(time),
			});
			await accepted(key, "/v1/pets/0");
			while ((await find(made.id))?.deprecatedUseAt === undefined)
				await Bun.sleep(10);
			expect(JSON.stringify(await list())).not.toContain(key);
			const expiresAt = "2999-01-31T12:00:00+02:00";
			const other = { name: "\u00e9 \u{1f436}", scope: "metrics" };
			expect(await create({ ...other, expiresAt })).toMatchObject({
				...other,
				expiresAt: "2999-01-31T10:00:00.000Z",
			});
		});

		test("changes the name and the expiry of a key, and nothing else of it", async () => {
			const old = { name: "old", expiresAt: "2999-01-31T10:00:00.000Z" };
			const { key, ...made } = await create(old);
			const changed = await change(made.id, { name: "new" });
			expect([changed.status, await changed.json()]).toEqual([
				200,
				{ ...made, name: "new" },
			]);
			const expiresAt = new Date(Date.now() + 500).toISOString();
			const expiring = await change(made.id, { expiresAt });
			expect(await expiring.json()).toMatchObject({ name: "new", expiresAt });
			await Bun.sleep(500);
			expect(await accepted(key)).toEqual([401, 401]);
			const never = await (await change(made.id, { expiresAt: null })).json();
			expect(never.expiresAt).toBeUndefined();
			expect(await accepted(key)).toEqual([200, 200]);
			for (const body of [
				{ name: "x", scope: "operator" },
				{ expiresAt: "2020-01-31T00:00:00Z" },
			])
				await expectError(await change(made.id, body), "invalid_body");
		});

		test("refuses a revoked key in every process within a second, revokes it only once, and changes only its name", async () => {
			const { id, key } = await create({ name: "x", scope: "operator" });
			expect(await accepted(key)).toEqual([200, 200]);
			const first = await revoke(id, key);
			expect([first.status, await first.text()]).toEqual([204, ""]);
			const { revokedAt } = (await find(id)) ?? {};
			expect(revokedAt).toMatch(time);
			await Bun.sleep(900);
			expect(await accepted(key)).toEqual([401, 401]);
			expect((await revoke(id)).status).toBe(204);
			expect(await find(id)).toMatchObject({ revokedAt });
			expect((await change(id, { name: "former" })).status).toBe(200);
			const refused = await change(id, { name: "x", expiresAt: null });
			await expectError(refused, "conflict");
			for (const reply of [await change(0, { name: "x" }), await revoke(0)])
				await expectError(reply, "not_found", /key/);
		});

		test("lists each key once, in pages, in the order of the ids", async () => {
			for (let count = 0; count < 25; count++) await create({ name: "paged" });
			const keys = await processes().service.store.keys.list();
			const idsOf = (listed: { id: number }[]) => listed.map(({ id }) => id);
			expect(idsOf(await list(1))).toEqual(idsOf([...keys]));
			expect((await readPage("")).keys).toHaveLength(20);
			expect(await readPage(`cursor=${maxInt64}`)).toEqual({ keys: [] });
		});
	});
});
