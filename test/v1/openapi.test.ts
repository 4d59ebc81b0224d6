// The OpenAPI document in its two versions, and its content for generators.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Ajv, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import openapi31 from "../../openapi.json" with { type: "json" };
import { toOpenApi } from "../../src/contract/openapi/document.ts";
import { toVersion30 } from "../../src/contract/openapi/version-30.ts";
import { v1 } from "../../src/contract/v1/interface.ts";
import { operationIds } from "../../src/contract/v1/operations.ts";
import { documentedIn } from "../examples.ts";
import { expectError, openService, type Service } from "../service.ts";

const options = { operationIds, baseUrl: undefined, stagingUrl: undefined };
/** Only `info` has other members. */
type Document30 = Omit<typeof openapi31, "info"> & { readonly info: object };
const openapi30: Document30 = JSON.parse(toOpenApi(v1, options, "3.0"));

let service: Service;
beforeAll(async () => {
	service = await openService("in process");
});
afterAll(() => service.close());

describe("OpenAPI versions", () => {
	test.each([
		["/openapi.json", "3.1.0"],
		["/openapi.json?version=3.1", "3.1.0"],
		["/openapi.json?version=3.0", "3.0.3"],
		["/openapi.json?other=3.0", "3.1.0"],
	])("answers GET %s with OpenAPI %s", async (path, version) => {
		const response = await service.call(path, { authorization: null });
		expect((await response.json()).openapi).toBe(version);
	});

	test.each(["2.0", "3", "3.0.3", "", "3.0&version=3.0"])(
		"answers 400 to ?version=%s, and names the parameter",
		async (version) => {
			const response = await service.call(`/openapi.json?version=${version}`);
			await expectError(response, "invalid_parameter", /^version must /);
		},
	);

	test("has the same content in 3.0 as in 3.1", () => {
		const { openapi: _, info, ...content } = openapi31;
		const { openapi: __, info: info30, ...content30 } = openapi30;
		expect(toRefWithSiblings(content30)).toEqual(content);
		expect(JSON.stringify(content30)).not.toMatch(/"\$ref":"[^"]*",/);
		expect(info30).toEqual({
			title: info.title,
			version: info.version,
			description: `${info.summary} ${info.description}`,
			license: { name: "MIT", url: "https://spdx.org/licenses/MIT.html" },
		});
	});

	test("accepts the same values by the schemas of both versions", () => {
		const values = [
			...[null, 1, "sold", "gone", [], {}],
			{ name: "Rex", categoryId: 1 },
			{ name: "a\0b", categoryId: 1 },
			{ name: "Rex", categoryId: 1.5 },
			{ name: "Rex", categoryId: 1, status: "sold" },
			{ name: "Rex", categoryId: 1, status: null },
			{ id: 1, name: "Rex", categoryId: 1 },
			{ id: 1, name: "Rex", categoryId: 1, status: "sold" },
			[{ id: 1, name: "Rex", categoryId: 1, status: "gone" }],
			[{ id: 1, name: "Rex", categoryId: 1, status: "sold" }],
			{ code: "internal", message: "", status: 500 },
			{ code: "internal", message: "", status: "500" },
		];
		const ajv31 = new Ajv2020(ajvOptions);
		const ajv30 = new Ajv(ajvOptions);
		const names = Object.keys(openapi31.components.schemas);
		const fitting = names.flatMap((name) => {
			const $ref = `#/components/schemas/${name}`;
			const fits31 = ajv31.compile({ ...openapi31, $ref });
			const fits30 = ajv30.compile({ ...openapi30, $ref });
			return values.filter((value) => {
				const fits = fits31(value);
				expect([name, value, fits30(value)]).toEqual([name, value, fits]);
				return fits;
			});
		});
		expect(fitting.length).toBe(9);
	});

	test.each([
		[{ const: 1 }, { enum: [1] }],
		[
			{ type: "integer", minimum: 0, exclusiveMaximum: 9 },
			{ type: "integer", minimum: 0, maximum: 9, exclusiveMaximum: true },
		],
		[{ pattern: "^a$" }, { pattern: "^a$" }],
		[{ type: "string", pattern: "^\\P{C}$" }, { type: "string" }],
		[{ $ref: "#/x" }, { $ref: "#/x" }],
		[
			{ $ref: "#/x", description: "y" },
			{ allOf: [{ $ref: "#/x" }], description: "y" },
		],
		[
			{
				type: "array",
				items: { oneOf: [{ const: "a" }, { const: 1 }] },
			},
			{
				type: "array",
				items: { oneOf: [{ enum: ["a"] }, { enum: [1] }] },
			},
		],
		[
			{ properties: { const: { const: 1 } }, default: { const: 1 } },
			{ properties: { const: { enum: [1] } }, default: { const: 1 } },
		],
	])("the schema %j becomes %j in 3.0", (schema, schema30) => {
		const example = { schema: { const: 1 } };
		const document = { info: openapi31.info, schema, example };
		expect(toVersion30(document)).toEqual(
			expect.objectContaining({ schema: schema30, example }),
		);
	});
});

describe.each([
	["3.1", openapi31],
	["3.0", openapi30],
])("OpenAPI %s", (_version, document) => {
	const { paths, components } = document;
	describe("OpenAPI document", () => {
		test("has examples of limit, status and petId, and of no other parameter", () => {
			const examples = documentedIn(document)
				.flatMap(({ parameters }) => parameters)
				.filter(({ example }) => example !== undefined)
				.map(({ name, example }) => [name, example]);
			expect(examples).toEqual([
				["limit", 10],
				["status", "available"],
				["petId", 1],
			]);
		});
		test("names the schemas as the interface document does, and describes each", () => {
			expect(Object.keys(components.schemas)).toEqual([
				...["PetStatus", "NewPet", "Pet", "Pets", "Error"],
			]);
			for (const { description } of Object.values(components.schemas))
				expect(description).toEndWith(".");
		});
		test("requires status in a Pet, and not in a NewPet", () => {
			const { Pet, NewPet } = components.schemas;
			expect(Pet.required).toEqual(["id", "name", "categoryId", "status"]);
			expect(NewPet.required).toEqual(["name", "categoryId"]);
		});
		test("links a 201 to getPet only if getPet is served", () => {
			const { links } = paths["/pets"].post.responses["201"];
			expect(links.getPet.operationId).toBe("getPet");
			const without = {
				...options,
				operationIds: ["listPets", "createPet"] as const,
			};
			expect(toOpenApi(v1, without, "3.1")).not.toContain('"links"');
		});
	});
});

const ajvOptions: Options = {
	strict: false,
	formats: { int32: true, int64: true },
};

/** Undoes the one difference of our schemas in 3.0. */
function toRefWithSiblings(value: unknown): unknown {
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map(toRefWithSiblings);
	const { allOf, ...others } = Object.fromEntries(
		Object.entries(value).map(([name, member]) => [
			name,
			toRefWithSiblings(member),
		]),
	);
	return Array.isArray(allOf) ? { ...allOf[0], ...others } : others;
}
