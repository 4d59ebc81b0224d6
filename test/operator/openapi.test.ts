// The OpenAPI document of the operator interface.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import openapi from "../../openapi.json" with { type: "json" };
import operatorOpenapi from "../../operator-openapi.json" with { type: "json" };
import { root } from "../harness/process.ts";
import { expectError, openService, type Service } from "../service.ts";

const path = "/operator/openapi.json";

let service: Service;
beforeAll(async () => {
	service = await openService("in process", {
		document: { baseUrl: "https://pets.example" },
	});
});
afterAll(() => service.close());

describe("OpenAPI document for operators", () => {
	test.each([
		["", "3.1.0"],
		["?version=3.1", "3.1.0"],
		["?version=3.0", "3.0.3"],
	])("needs no key, and answers %s with OpenAPI %s", async (query, version) => {
		const response = await service.call(path + query, { authorization: null });
		const document = await response.json();
		expect(document.openapi).toBe(version);
		expect(document.servers).toEqual([
			{
				url: "https://pets.example/operator/v1",
				description: "Production",
			},
		]);
	});

	test("answers 400 to another version", async () => {
		const refused = await service.call(`${path}?version=2.0`);
		await expectError(refused, "invalid_parameter", /^version must /);
	});

	test("equals the file operator-openapi.json without a base URL", async () => {
		const plain = await openService("in process");
		const text = await (await plain.call(path)).text();
		expect(text).toBe(readFileSync(`${root}operator-openapi.json`, "utf8"));
		await plain.close();
	});

	test("has the schemas of openapi.json, some with more members", () => {
		const { schemas } = openapi.components;
		const own: Readonly<Record<string, object>> =
			operatorOpenapi.components.schemas;
		const common = Object.keys(own).filter((name) => name in schemas);
		expect(common).toEqual(["PetStatus", "NewPet", "Pet", "Error"]);
		const { Pet, Error: error, ...same } = operatorOpenapi.components.schemas;
		expect([same.PetStatus, same.NewPet]).toEqual([
			schemas.PetStatus,
			schemas.NewPet,
		]);
		expect(Pet.properties).toMatchObject(schemas.Pet.properties);
		expect(error.properties).toMatchObject(schemas.Error.properties);
		expect(error.required).toEqual(schemas.Error.required);
	});

	test("marks no additions, and has no operation id of openapi.json", () => {
		expect(JSON.stringify(operatorOpenapi)).not.toContain("x-addition");
		const ids = [openapi, operatorOpenapi].flatMap(idsOf);
		expect(new Set(ids).size).toBe(ids.length);
	});
});

function idsOf({ paths }: { paths: object }): string[] {
	return Object.values(paths).flatMap((item: object) =>
		Object.values(item).map(({ operationId }) => String(operationId)),
	);
}
