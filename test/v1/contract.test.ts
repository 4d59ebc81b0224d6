// The contract of /v1, word for word: its schemas, its parameters, and each byte of its replies. Nothing here derives from the service.
import { expect, test } from "bun:test";
import { add, idOf, onEachService } from "../service.ts";

const int64 = { type: "integer", format: "int64" };
const name = { type: "string" };
const status = { $ref: "#/components/schemas/PetStatus" };

const schemas = {
	PetStatus: { type: "string", enum: ["available", "pending", "sold"] },
	NewPet: {
		required: ["name", "categoryId"],
		properties: { name, categoryId: int64, status },
	},
	Pet: {
		required: expect.arrayContaining(["id", "name", "categoryId"]),
		properties: { id: int64, name, categoryId: int64, status },
	},
	Pets: { type: "array", items: { $ref: "#/components/schemas/Pet" } },
	Error: {
		required: ["code", "message", "status"],
		properties: {
			code: { type: "string" },
			message: { type: "string" },
			status: { type: "integer" },
		},
	},
};

const has = (schema: keyof typeof schemas) => ({
	content: {
		"application/json": { schema: { $ref: `#/components/schemas/${schema}` } },
	},
});
const parameter = (name: string, place: string, schema: object) =>
	expect.objectContaining({
		...{ name, in: place, schema: expect.objectContaining(schema) },
	});
const limit = { type: "integer", minimum: 1, maximum: 100, default: 20 };

const paths = {
	"/pets": {
		get: {
			operationId: "listPets",
			parameters: expect.arrayContaining([
				parameter("limit", "query", limit),
				parameter("status", "query", status),
			]),
			responses: { 200: has("Pets"), 401: {} },
		},
		post: {
			operationId: "createPet",
			requestBody: { required: true, ...has("NewPet") },
			responses: { 201: has("Pet"), 400: {}, 401: {} },
		},
	},
	"/pets/{petId}": {
		get: {
			operationId: "getPet",
			deprecated: true,
			parameters: expect.arrayContaining([parameter("petId", "path", int64)]),
			responses: { 200: has("Pet"), 401: {}, 404: {} },
		},
	},
};

onEachService((service) => {
	test("the document has the operations and members of the contract, in this order, and no others", async () => {
		const document = await (await service().call("/openapi.json")).json();
		expect(document).toMatchObject({ paths, components: { schemas } });
		const keysOf = (one: object) => JSON.stringify(Object.keys(one));
		for (const [path, methods] of Object.entries(paths))
			expect(keysOf(document.paths[path])).toBe(keysOf(methods));
		expect(keysOf(document.paths)).toBe(keysOf(paths));
		for (const schema of ["NewPet", "Pet", "Error"] as const)
			expect(keysOf(document.components.schemas[schema].properties)).toBe(
				keysOf(schemas[schema].properties),
			);
	});

	test("an add, a get and a list answer these bytes", async () => {
		const sent =
			'{"birthday":"2024-02-29","status":"pending","categoryId":-9223372036854775808,"id":7,"name":"R\\u00e9x \\"1\\"","photoUrls":[]}';
		const added = await add(service(), sent);
		const id = idOf(added);
		const whole = `{"id":${id},"name":"R\u00e9x \\"1\\"","categoryId":-9223372036854775808,"status":"pending"}`;
		expect(added).toBe(whole);
		const read = async (path: string) =>
			(await service().call(`/v1${path}`)).text();
		expect(await read(`/pets/${id}`)).toBe(whole);
		const next = await add(service(), '{"name":"","categoryId":0}');
		const empty = `{"id":${idOf(next)},"name":"","categoryId":0,"status":"available"}`;
		expect(next).toBe(empty);
		expect(await read("/pets?limit=2")).toBe(`[${empty},${whole}]`);
	});

	test("an error answers these bytes", async () => {
		const missing = await service().call("/v1/pets/9223372036854775807");
		expect(await missing.text()).toBe(
			'{"code":"not_found","message":"No animal has this petId.","status":404}',
		);
	});
});
