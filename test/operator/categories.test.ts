// The names of categories in the operator interface.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { maxCategories } from "../../src/store/categories.ts";
import { toPet } from "../harness/pet.ts";
import { expectError, onEachService, openService } from "../service.ts";

const path = "/operator/v1/categories";

onEachService((service) => {
	const list = async () => (await service().call(path)).text();
	const set = (id: string, name: unknown) =>
		service().call(`${path}/${id}`, {
			method: "PUT",
			body: JSON.stringify({ name }),
		});
	const remove = (id: string) =>
		service().call(`${path}/${id}`, { method: "DELETE" });

	describe("Names of categories", () => {
		test("lists names with the number of their animals, and with all digits of their ids", async () => {
			expect(await list()).toBe('{"categories":[]}');
			const largest = "9223372036854775807";
			for (const categoryId of [1n, 1n, BigInt(largest), 7n])
				await service().store.catalogue.addPet({ pet: toPet({ categoryId }) });
			const named = await set(largest, 'Big "dogs"');
			expect([named.status, await named.text()]).toEqual([
				200,
				`{"id":${largest},"name":"Big \\"dogs\\""}`,
			]);
			expect((await set("1", "Dogs")).status).toBe(200);
			expect((await set("-5", "Cats")).status).toBe(200);
			expect(await list()).toBe(
				`{"categories":[{"id":-5,"name":"Cats","pets":0},{"id":1,"name":"Dogs","pets":2},{"id":${largest},"name":"Big \\"dogs\\"","pets":1}]}`,
			);
		});

		test("answers 409 to the name of another category, and accepts its own", async () => {
			const refused = await set("2", "DOGS");
			await expectError(refused, "conflict", /^Another category has this name/);
			expect((await set("1", "DOGS")).status).toBe(200);
			expect(await list()).toContain('"id":1,"name":"DOGS"');
		});

		test("removes a name once, and changes nothing under /v1", async () => {
			const before = await (await service().call("/v1/pets")).text();
			expect((await remove("1")).status).toBe(204);
			await expectError(await remove("1"), "not_found", /has no name/);
			expect(await list()).not.toContain('"id":1,');
			expect((await set("2", "dogs")).status).toBe(200);
			expect(await (await service().call("/v1/pets")).text()).toBe(before);
		});

		test.each([
			"",
			" ",
			"x".repeat(101),
			"a\u0000b",
			"a\nb",
			5,
			null,
			undefined,
		])("refuses the name %p", async (name) => {
			const before = await list();
			await expectError(await set("3", name), "invalid_body", /^name /);
			expect(await list()).toBe(before);
		});

		test("refuses unknown members, and an id that is no int64", async () => {
			const body = '{"name":"x","pets":1}';
			const refused = await service().call(`${path}/3`, {
				method: "PUT",
				body,
			});
			await expectError(refused, "invalid_body", /^pets is unknown/);
			for (const id of ["x", "01", "1.0", "9223372036854775808"])
				for (const reply of [await set(id, "x"), await remove(id)])
					await expectError(reply, "invalid_parameter", /^categoryId must be/);
		});
	});
});

test("answers 409 when as many categories have a name as may", async () => {
	const { call, databaseUrl, close } = await openService("in process");
	const db = new Database(databaseUrl.slice("sqlite:".length));
	db.run(`WITH RECURSIVE ids (id) AS (SELECT 2 UNION ALL SELECT id + 1 FROM ids LIMIT ${maxCategories})
		INSERT INTO categories SELECT id, id, id FROM ids`);
	db.close();
	const set = (id: number) =>
		call(`${path}/${id}`, { method: "PUT", body: '{"name":"Dogs"}' });
	await expectError(await set(1), "conflict", /remove another name/);
	expect((await set(2)).status).toBe(200);
	await close();
});
