// The keys in the operator interface.
import { describe, expect, test } from "bun:test";
import { keyScopes } from "../../src/domain/key-scope.ts";
import { expectError } from "../service.ts";
import { call as callAny, type OperatorCall, onTwoProcesses } from "./calls.ts";

const keysPath = "/operator/v1/keys";
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

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
		const readPage = async (query: string) =>
			(await call(`${keysPath}?${query}`)).json();
		/** All keys, page by page. */
		const list = async (limit = 100) => {
			const all = [];
			for (let query: string | undefined = `limit=${limit}`; query; ) {
				const { keys, next } = await readPage(query);
				expect(keys.length).toBeLessThanOrEqual(limit);
				all.push(...keys);
				query = next && `limit=${limit}&cursor=${next}`;
			}
			return all;
		};
		/** The status of a list with the key, on both processes. */
		const accepted = async (key: string) => {
			const { service, other } = processes();
			const replies = [service.send, other.fetch].map((send) =>
				callAny(send, "/v1/pets", { key }),
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
			const listed = async () =>
				(await list()).find(({ id }: { id: number }) => id === made.id);
			// The use is recorded after the reply.
			while ((await listed()).lastUsedAt === undefined) await Bun.sleep(10);
			expect(await listed()).toEqual({
				...made,
				lastUsedAt: expect.stringMatching(time),
			});
			expect(JSON.stringify(await list())).not.toContain(key);
		});

		test("shows when a key last called a deprecated operation, recorded once a minute", async () => {
			const { id, key } = await create({ name: "old client" });
			const { service, other } = processes();
			const find = async () =>
				(await list()).find((one: { id: number }) => one.id === id);
			await callAny(service.send, "/v1/pets", { key });
			while ((await find()).lastUsedAt === undefined) await Bun.sleep(10);
			expect((await find()).deprecatedUseAt).toBeUndefined();
			const before = Date.now();
			await callAny(service.send, "/v1/pets/999999", { key });
			while ((await find()).deprecatedUseAt === undefined) await Bun.sleep(10);
			const { deprecatedUseAt } = await find();
			expect(Date.parse(deprecatedUseAt)).toBeWithin(before, Date.now() + 1);
			for (const send of [service.send, other.fetch])
				await callAny(send, "/v1/pets/999999", { key });
			await Bun.sleep(100);
			expect((await find()).deprecatedUseAt).toBe(deprecatedUseAt);
		});

		test.each(keyScopes)("makes a key with the scope %s", async (scope) => {
			const expiresAt = "2999-01-31T12:00:00+02:00";
			const made = await create({ name: "\u00e9 \u{1f436}", scope, expiresAt });
			expect(made).toMatchObject({
				name: "\u00e9 \u{1f436}",
				scope,
				expiresAt: "2999-01-31T10:00:00.000Z",
			});
		});

		test.each([
			[{}, /^name is required\.$/],
			[{ name: "  " }, /^name must be 1 to 100 characters/],
			[{ name: "x".repeat(101) }, /^name must be/],
			[{ name: "a\tb" }, /^name must be/],
			[{ name: "a\u202eb" }, /^name must be/],
			[{ name: "x", scope: "admin" }, /^scope must be one of read, read-write/],
			[{ name: "x", expiresAt: null }, /^expiresAt must be a time of RFC 3339/],
			[{ name: "x", expiresAt: "2999-01-31" }, /^expiresAt must be a time/],
			[
				{ name: "", expiresAt: "2020-01-31T00:00:00Z" },
				/^name must be .* expiresAt must be in the future\.$/,
			],
			[
				{ name: "x", expires: "1h" },
				/^expires is unknown; did you mean expiresAt\?$/,
			],
		])("refuses %j with the member and its rule", async (body, message) => {
			const before = (await list()).length;
			const reply = await call(keysPath, { method: "POST", body });
			await expectError(reply, "invalid_body", message);
			expect((await list()).length).toBe(before);
		});

		test("changes the name and the expiry of a key, and nothing else of it", async () => {
			const { key, ...made } = await create({ name: "old" });
			const change = (body: object) =>
				call(`${keysPath}/${made.id}`, { method: "PATCH", body });
			const changed = await change({ name: "new" });
			expect([changed.status, await changed.json()]).toEqual([
				200,
				{ ...made, name: "new" },
			]);
			expect(await accepted(key)).toEqual([200, 200]);
			const expiresAt = new Date(Date.now() + 1_000).toISOString();
			expect(await (await change({ expiresAt })).json()).toMatchObject({
				name: "new",
				expiresAt,
			});
			await Bun.sleep(1_000);
			expect(await accepted(key)).toEqual([401, 401]);
			const never = await (await change({ expiresAt: null })).json();
			expect(never.expiresAt).toBeUndefined();
			expect(await accepted(key)).toEqual([200, 200]);
			for (const [body, message] of [
				[{}, /^The body must have a name/],
				[{ name: null }, /^name must/],
				[{ name: "x", scope: "operator" }, /^scope is unknown/],
				[{ expiresAt: "2020-01-31T00:00:00Z" }, /in the future/],
			] as const)
				await expectError(await change(body), "invalid_body", message);
		});

		test("changes only the name of a revoked key", async () => {
			const { id } = await create({ name: "old" });
			const path = `${keysPath}/${id}`;
			await call(path, { method: "DELETE" });
			const change = (body: object) => call(path, { method: "PATCH", body });
			expect((await change({ name: "former" })).status).toBe(200);
			await expectError(
				await change({ name: "x", expiresAt: null }),
				"conflict",
			);
		});

		test("refuses a revoked key in every process within a second, and revokes it only once", async () => {
			const { id, key } = await create({ name: "revoked" });
			expect(await accepted(key)).toEqual([200, 200]);
			const revoke = () => call(`${keysPath}/${id}`, { method: "DELETE" });
			const first = await revoke();
			expect([first.status, await first.text()]).toEqual([204, ""]);
			const revokedAt = async () =>
				(await list()).find((one: { id: number }) => one.id === id).revokedAt;
			const at = await revokedAt();
			expect(at).toMatch(time);
			await Bun.sleep(900);
			expect(await accepted(key)).toEqual([401, 401]);
			expect((await revoke()).status).toBe(204);
			expect(await revokedAt()).toBe(at);
		});

		test("lets a key revoke itself", async () => {
			const key = await processes().service.makeKey({ scope: "operator" });
			const [own] = (await list()).filter(({ prefix }: { prefix: string }) =>
				key.startsWith(prefix),
			);
			const path = `${keysPath}/${own.id}`;
			expect((await call(path, { method: "DELETE", key })).status).toBe(204);
			await Bun.sleep(600);
			await expectError(await call(keysPath, { key }), "unauthenticated");
		});

		test("lists each key once, in pages, in the order of the ids", async () => {
			for (let count = 0; count < 25; count++) await create({ name: "paged" });
			const all = (await processes().service.store.keys.list()).map(
				({ id }) => id,
			);
			const idsOf = (keys: { id: number }[]) => keys.map(({ id }) => id);
			for (const limit of [1, 7, 100])
				expect(idsOf(await list(limit))).toEqual(all);
			const first = await readPage("");
			expect(idsOf(first.keys)).toEqual(all.slice(0, 20));
			// A key that is made in between moves no other.
			const { id } = await create({ name: "later" });
			const rest = await readPage(`limit=100&cursor=${first.next}`);
			expect(idsOf(rest.keys)).toEqual([...all.slice(20), id]);
			expect(rest.next).toBeUndefined();
		});

		test.each([
			["limit=0", /^limit must be a whole number from 1 to 100\.$/],
			["limit=101", /^limit must be/],
			["limit=x&cursor=x", /^limit must be .* cursor must be/],
			["cursor=", /^cursor must be/],
			["limit=5&limit=5", /^limit must not be given more than once\.$/],
		])("refuses a list of keys with %s", async (query, message) => {
			await expectError(
				await call(`${keysPath}?${query}`),
				"invalid_parameter",
				message,
			);
		});

		test.each(["99999", "0", "01", "x", "1.0", "9".repeat(30)])(
			"answers 404 to the id %s, which no key has",
			async (id) => {
				for (const [method, path, body] of [
					["PATCH", `${keysPath}/${id}`, { name: "x" }],
					["DELETE", `${keysPath}/${id}`, undefined],
				] as const)
					await expectError(
						await call(path, { method, body }),
						"not_found",
						/No key has this id/,
					);
			},
		);
	});
});
