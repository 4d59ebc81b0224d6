// Categories in the operator interface.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { maxCategories } from "../../src/store/animals/categories.ts";
import { toPet } from "../harness/pet.ts";
import { expectError, onEachService, openService } from "../service.ts";

const path = "/operator/v1/categories";

onEachService((service) => {
	const list = async (query = "") =>
		(await service().call(`${path}${query}`)).text();
	const send = (method: string, to: string, name: unknown) =>
		service().call(`${path}${to}`, { method, body: JSON.stringify({ name }) });
	const set = (id: string, name: unknown) => send("PUT", `/${id}`, name);
	const remove = (id: string) =>
		service().call(`${path}/${id}`, { method: "DELETE" });

	describe("Categories", () => {
		test("lists all that have a name or animals in pages, with all digits of their ids", async () => {
			expect(await list()).toBe('{"categories":[]}');
			const largest = "9223372036854775807";
			for (const categoryId of [1n, 1n, BigInt(largest), 7n])
				await service().store.catalogue.addPet({ pet: toPet({ categoryId }) });
			const named = await set(largest, 'Big "dogs"');
			const big = `{"id":${largest},"name":"Big \\"dogs\\"","pets":1}`;
			expect([named.status, await named.text()]).toEqual([200, big]);
			expect((await set("1", "Dogs")).status).toBe(200);
			expect((await set("-5", "Cats")).status).toBe(200);
			const rest = `{"id":7,"pets":1},${big}]}`;
			expect(await list()).toBe(
				`{"categories":[{"id":-5,"name":"Cats","pets":0},{"id":1,"name":"Dogs","pets":2},${rest}`,
			);
			expect(await list("?limit=2")).toEndWith('"pets":2}],"next":7}');
			expect(await list("?limit=2&cursor=7")).toBe(`{"categories":[${rest}`);
		});

		test("makes one, and answers 409 with the other to a name that another has", async () => {
			const made = await send("POST", "", "Fish");
			expect([made.status, await made.text()]).toEqual([
				201,
				'{"id":2,"name":"Fish","pets":0}',
			]);
			for (const refused of [
				...[await set("2", "DOGS"), await send("POST", "", "dogs")],
			])
				await expectError(refused, "conflict", /^Category 1 has this name/);
			expect((await set("1", "DOGS")).status).toBe(200);
			expect(await list()).toContain('"id":1,"name":"DOGS"');
		});

		test("removes a name once, and changes nothing under /v1", async () => {
			const before = await (await service().call("/v1/pets")).text();
			expect((await remove("1")).status).toBe(204);
			await expectError(await remove("1"), "not_found", /has no name/);
			expect(await list()).toContain('{"id":1,"pets":2}');
			expect(await (await service().call("/v1/pets")).text()).toBe(before);
		});

		test("takes characters that Unicode does not assign, or leaves to private use", async () => {
			const name = "\ue000\u0378\u{10fffd}";
			expect(await (await set("3", name)).json()).toMatchObject({ name });
			expect((await remove("3")).status).toBe(204);
		});

		test.each(["", "a\nb", "a\u200b", " +7"])(
			"refuses the name %p",
			async (name) => {
				const before = await list();
				for (const refused of [
					await set("3", name),
					await send("POST", "", name),
				])
					await expectError(refused, "invalid_body", /^name /);
				expect(await list()).toBe(before);
			},
		);
	});
});

test("answers 409 when as many categories have a name as may, also to the preview of an import", async () => {
	const { call, databaseUrl, close } = await openService("in process");
	const db = new Database(databaseUrl.slice("sqlite:".length));
	db.run(`WITH RECURSIVE ids (id) AS (SELECT 2 UNION ALL SELECT id + 1 FROM ids LIMIT ${maxCategories})
		INSERT INTO categories SELECT id, id, id FROM ids`);
	db.close();
	const set = (id: number) =>
		call(`${path}/${id}`, { method: "PUT", body: '{"name":"Dogs"}' });
	await expectError(await set(1), "conflict", /remove another name/);
	expect((await set(2)).status).toBe(200);
	const preview = "/operator/v1/pets/import?createCategories=true&dryRun=true";
	const headers = { "Content-Type": "text/csv" };
	const request = { method: "POST", headers, body: "name,category\na,New\n" };
	await expectError(await call(preview, request), "conflict");
	await close();
});
