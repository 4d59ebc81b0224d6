// The catalogue: adding, getting and listing animals.
import { describe, expect, test } from "bun:test";
import {
	add,
	expectError,
	idOf,
	onEachService,
	type Service,
} from "../service.ts";

onEachService((service) => {
	test("returns an added animal by its id and in the list", async () => {
		const pet = await add(
			service(),
			'{"name":"Rex","categoryId":7,"status":"pending"}',
		);
		expect(pet).toBe(
			`{"id":${idOf(pet)},"name":"Rex","categoryId":7,"status":"pending"}`,
		);
		const one = await service().call(`/v1/pets/${idOf(pet)}`);
		expect(await one.text()).toBe(pet);
		const list = await service().call("/v1/pets?limit=1");
		expect(await list.text()).toBe(`[${pet}]`);
	});

	test("lists 20 animals when no limit is given", async () => {
		await addNumbered(service(), 21);
		const list = await service().call("/v1/pets");
		expect(await list.json()).toHaveLength(20);
	});

	test("answers 404 if the animal does not exist", async () => {
		await expectError(
			await service().call("/v1/pets/9223372036854775807"),
			"not_found",
			/petId/,
		);
	});

	describe("Status omitted on creation", () => {
		test("makes an animal without a status available, and finds it by the status filter", async () => {
			const pet = await add(service(), '{"name":"Tom","categoryId":1}');
			expect(JSON.parse(pet)).toMatchObject({ status: "available" });
			const list = await service().call("/v1/pets?status=available&limit=1");
			expect(await list.text()).toBe(`[${pet}]`);
		});
	});

	describe("Order of a list", () => {
		test("lists the newest animal first, with and without a filter", async () => {
			const pets = await addNumbered(service(), 3);
			const newestFirst = `[${pets.toReversed().join(",")}]`;
			for (const query of ["limit=3", "limit=3&status=sold"]) {
				const list = await service().call(`/v1/pets?${query}`);
				expect(await list.text()).toBe(newestFirst);
			}
		});
	});

	describe("Ids", () => {
		test("assigns ids that rise by one", async () => {
			const [first = "", second = ""] = await addNumbered(service(), 2);
			expect(idOf(second)).toBe(idOf(first) + 1n);
		});
		test("ignores an id in the body, and assigns its own", async () => {
			const first = await add(service(), '{"name":"a","categoryId":1}');
			const other = await add(
				service(),
				`{"id":${idOf(first)},"name":"b","categoryId":2}`,
			);
			expect(idOf(other)).toBe(idOf(first) + 1n);
			const unchanged = await service().call(`/v1/pets/${idOf(first)}`);
			expect(await unchanged.text()).toBe(first);
		});
	});

	describe("Categories", () => {
		test.each(["0", "-1", "9223372036854775807", "-9223372036854775808"])(
			"accepts the categoryId %s",
			async (categoryId) => {
				const body = `{"name":"x","categoryId":${categoryId}}`;
				expect(await add(service(), body)).toContain(
					`"categoryId":${categoryId},`,
				);
			},
		);
	});

	describe("Store area, orders", () => {
		test.each(["/v1/store", "/v1/store/orders", "/v1/orders"])(
			"answers 404 to %s",
			async (path) => {
				await expectError(await service().call(path), "not_found");
			},
		);
	});

	describe("Status changes, edits, removal", () => {
		test.each(["PUT", "PATCH", "DELETE"])(
			"answers 405 to %s on an animal, and changes nothing",
			async (method) => {
				const pet = await add(service(), '{"name":"Rex","categoryId":1}');
				const path = `/v1/pets/${idOf(pet)}`;
				await expectError(
					await service().call(path, {
						method,
						body: '{"name":"Max","categoryId":2,"status":"sold"}',
					}),
					"method_not_allowed",
				);
				expect(await (await service().call(path)).text()).toBe(pet);
			},
		);
	});
});

async function addNumbered(service: Service, count: number): Promise<string[]> {
	const pets: string[] = [];
	for (let number = 1; number <= count; number++)
		pets.push(
			await add(
				service,
				`{"name":"number ${number}","categoryId":${number},"status":"sold"}`,
			),
		);
	return pets;
}
