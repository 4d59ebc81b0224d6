// The OpenAPI documents: their versions, and that the service does as they say.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import openapi from "../../openapi.json" with { type: "json" };
import operatorOpenapi from "../../operator-openapi.json" with { type: "json" };
import { toRate } from "../../src/http/rate-limit.ts";
import { toVersion30 } from "../../src/interface/openapi-30.ts";
import { operator } from "../../src/operator/interface.ts";
import { v1 } from "../../src/v1/interface.ts";
import { root } from "../harness/process.ts";
import { expectError, openService, type Service } from "../service.ts";
import { type Documented, pathsIn } from "./document.ts";

const documents = [
	{ prefix: v1.prefix, document: openapi },
	{ prefix: operator.prefix, document: operatorOpenapi },
];

/** The id of a key that no request of these tests uses. */
const keyId = "3";

/** Every operation, with an address of the service. */
const operations = documents.flatMap(({ prefix, document }) =>
	Object.entries(pathsIn(document)).flatMap(([path, item]) =>
		Object.entries(item).map(([method, operation]) => ({
			id: operation.operationId,
			method: method.toUpperCase(),
			path: prefix + path.replace("{keyId}", keyId).replace(/\{\w+\}/, "1"),
			operation,
			components: document.components,
		})),
	),
);
type Found = (typeof operations)[number];

let service: Service;
beforeAll(async () => {
	service = await openService("over a socket", { rateLimit: toRate("1000/s") });
	for (const path of ["/v1/pets", "/operator/v1/pets"])
		await service.call(path, {
			method: "POST",
			body: '{"name":"Rex","categoryId":1}',
		});
	await service.makeKey();
	const keys = await service.store.keys.list();
	expect(String(keys.at(-1)?.id)).toBe(keyId);
});
afterAll(() => service.close());

/** With its example as the body, if none is given. */
function send(
	{ method, path, operation }: Found,
	body: unknown = exampleOf(operation),
	headers: Record<string, string> = {},
): Promise<Response> {
	const [type] = Object.keys(operation.requestBody?.content ?? {});
	return service.call(path, {
		method,
		headers: {
			Origin: service.url,
			...(type !== undefined && { "Content-Type": type }),
			...headers,
		},
		...(body !== undefined && {
			body: typeof body === "string" ? body : JSON.stringify(body),
		}),
	});
}

/** Formats that do not limit a value, or that other tests check. */
const formats = {
	int32: true,
	int64: true,
	date: true,
	"date-time": true,
	password: true,
} as const;
const ajv = new Ajv2020({ strict: false, formats });

function fits({ components }: Found, schema: object, value: unknown): boolean {
	return ajv.validate({ ...schema, components }, value);
}

function bodySchema({ requestBody }: Documented): object {
	return requestBody?.content?.["application/json"]?.schema ?? {};
}

/** A valid body. */
function exampleOf({ requestBody }: Documented): unknown {
	return Object.values(requestBody?.content ?? {})[0]?.example;
}

/** The value once for each object in it, with one more member in this object. */
function withUnknown(value: unknown): unknown[] {
	if (typeof value !== "object" || value === null) return [];
	const inside = Object.entries(value).flatMap(([name, member]) =>
		withUnknown(member).map((changed) =>
			Array.isArray(value)
				? value.with(Number(name), changed)
				: { ...value, [name]: changed },
		),
	);
	return Array.isArray(value) ? inside : [{ ...value, colour: 1 }, ...inside];
}

describe("a body", () => {
	const withBody = operations.filter(
		({ operation: { requestBody } }) =>
			requestBody?.content?.["application/json"],
	);

	test.each(withBody)(
		"of $id may have unknown members exactly where its schema allows them",
		async (found) => {
			const schema = bodySchema(found.operation);
			const example = exampleOf(found.operation);
			expect(fits(found, schema, example)).toBe(true);
			for (const body of withUnknown(example)) {
				const { status } = await send(found, body);
				expect([body, status !== 400]).toEqual([
					body,
					fits(found, schema, body),
				]);
			}
		},
	);

	test("of changePets is accepted exactly if it fits its schema", async () => {
		const found = operations.find(({ id }) => id === "changePets");
		if (found === undefined) throw new Error("There is no changePets.");
		const entries = [
			...[
				{ petId: 1, set: {} },
				{ petId: 1, set: { name: null } },
			],
			...[{ petId: 1 }, { set: {} }, { petId: 1, set: {}, remove: true }],
			...[
				{ petId: 0, set: {} },
				{ petId: 1.5, set: {} },
			],
			...[
				{ petId: 1, remove: false },
				{ petId: 9, remove: true },
			],
		];
		for (const body of [
			...[{ changes: [] }, { changes: 1 }, {}],
			...entries.map((entry) => ({ changes: [entry] })),
		]) {
			const { status } = await send(found, body);
			expect([body, status !== 400]).toEqual([
				...[body, fits(found, bodySchema(found.operation), body)],
			]);
		}
	});
});

test("the name of a category is accepted exactly if it fits its schema", async () => {
	const found = operations.find(({ id }) => id === "setCategory");
	if (found === undefined) throw new Error("There is no setCategory.");
	for (const name of [
		"000",
		" -1 ",
		"+7",
		"1.0",
		"1e3",
		"7 Dogs",
		"a\xadb",
		"\t",
		"",
	]) {
		const { status } = await send(found, { name });
		expect([name, status !== 400]).toEqual([
			...[name, fits(found, bodySchema(found.operation), { name })],
		]);
	}
});

test("a number of animals is accepted exactly if it fits its schema", async () => {
	const found = operations.find(({ id }) => id === "restoreBackup");
	if (found === undefined) throw new Error("There is no restoreBackup.");
	for (const animals of [0, 2 ** 53 - 1, 2 ** 53, -1, 0.5]) {
		const { status } = await send(found, { animals });
		expect([animals, status !== 400]).toEqual([
			...[animals, fits(found, bodySchema(found.operation), { animals })],
		]);
	}
});

test("no schema of ours has the name of another's constructor in Go", () => {
	const names = Object.keys(operatorOpenapi.components.schemas);
	const taken = names.filter((name) => names.includes(name.slice(3)));
	expect(taken.filter((name) => name.startsWith("New"))).toEqual(["NewPet"]);
	// Go's client does not compile with the default of one.
	for (const { operation } of operations)
		for (const { schema } of operation.parameters)
			if ("oneOf" in schema) expect(schema).not.toHaveProperty("default");
});

describe("a header of a request", () => {
	test.each([
		["X-Request-Id", ["a", "a b", "x".repeat(65), "\u00e9"]],
		["If-None-Match", ["a", '"a"', "*"]],
		["If-Match", ['"a"', "*", 'W/"a" , "b"', "a", '"a', '"a" "b"', ",,"]],
		["Idempotency-Key", ["a", "a b", "x".repeat(256), "\u00e9"]],
	])("%s is accepted exactly if it fits its schema", async (name, values) => {
		for (const found of operations) {
			const { operation } = found;
			const parameter = operation.parameters.find((one) => one.name === name);
			if (parameter === undefined) continue;
			for (const value of values) {
				const reply = await send(found, undefined, { [name]: value });
				const text = await reply.text();
				expect([found.id, value, !text.startsWith(`{"code":"inv`)]).toEqual([
					...[found.id, value],
					fits(found, parameter.schema, value),
				]);
			}
		}
	});
});

test("sends RateLimit exactly where the operation declares it", async () => {
	for (const found of operations) {
		const { headers, status } = await send(found);
		const declared = found.operation.responses[status]?.headers ?? {};
		expect([found.id, status, headers.has("RateLimit")]).toEqual([
			...[found.id, status],
			"RateLimit" in declared,
		]);
	}
});

test("every success with a body has an example that fits its schema", () => {
	for (const found of operations)
		for (const [status, reply] of Object.entries(found.operation.responses)) {
			const { schema, example } = reply.content?.["application/json"] ?? {};
			if (schema === undefined || Number(status) >= 300) continue;
			const isFitting = example !== undefined && fits(found, schema, example);
			expect([found.id, isFitting]).toEqual([found.id, true]);
		}
});

test("a 201 of an animal has a link to the operation that gets it", () => {
	const { links } = openapi.paths["/pets"].post.responses["201"];
	expect(Object.keys(links)).toEqual(["getPet"]);
});

describe("GET openapi.json", () => {
	test.each([
		["/openapi.json", "/v1", "openapi.json"],
		["/operator/openapi.json", "/operator/v1", "operator-openapi.json"],
	])(
		"%s is the document in the asked version, without a key",
		async (path, prefix, file) => {
			const get = (query = "") =>
				service.call(path + query, { authorization: null });
			const text = await (await get()).text();
			expect(text).toBe(readFileSync(root + file, "utf8"));
			const older = await (await get("?version=3.0")).json();
			expect(older.openapi).toBe("3.0.3");
			const unknown = await get("?version=3.0&version=3.0");
			await expectError(unknown, "invalid_parameter", /version/);
			const document = { baseUrl: "https://pets.example" };
			const named = await openService("in process", { document });
			const { servers } = await (await named.call(path)).json();
			expect(servers).toEqual([
				{ url: `https://pets.example${prefix}`, description: "Production" },
			]);
			await named.close();
		},
	);
});

describe("OpenAPI 3.0", () => {
	test.each([
		[{ const: 1 }, { enum: [1] }],
		[
			{ type: ["string", "null"], maxLength: 9 },
			{ type: "string", nullable: true, maxLength: 9 },
		],
		[
			{ oneOf: [{ $ref: "#/x" }, { type: "null" }] },
			{ nullable: true, allOf: [{ $ref: "#/x" }] },
		],
		[
			{ oneOf: [{ const: 1 }, { type: "string" }] },
			{ oneOf: [{ enum: [1] }, { type: "string" }] },
		],
		[{ $ref: "#/x" }, { $ref: "#/x" }],
		[
			{ $ref: "#/x", description: "y" },
			{ allOf: [{ $ref: "#/x" }], description: "y" },
		],
		[
			{ properties: { const: { const: 1 } }, default: { const: 1 } },
			{ properties: { const: { enum: [1] } }, default: { const: 1 } },
		],
	])("the schema %j becomes %j", (schema, schema30) => {
		const example = { schema: { const: 1 } };
		const document = { info: openapi.info, schema, example };
		expect(toVersion30(document)).toEqual(
			expect.objectContaining({ schema: schema30, example }),
		);
	});
});

test("gives no component the name of a schema, and no pattern that some tools cannot read", () => {
	for (const { components } of [openapi, operatorOpenapi]) {
		const { schemas, headers, parameters, responses } = components;
		const names = [schemas, headers, parameters, responses].map((parts) =>
			Object.keys(parts).map((name) => name.toLowerCase()),
		);
		const [ofSchemas = [], ...others] = names;
		for (const name of others.flat()) expect(ofSchemas).not.toContain(name);
	}
	expect(JSON.stringify([openapi, operatorOpenapi])).not.toMatch(/\\p\{/i);
});
