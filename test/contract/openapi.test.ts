// The service does as both OpenAPI documents say: which bodies and headers it accepts, and which headers it sends.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import openapi from "../../openapi.json" with { type: "json" };
import operatorOpenapi from "../../operator-openapi.json" with { type: "json" };
import { toOpenApi } from "../../src/contract/openapi/document.ts";
import { operator } from "../../src/contract/operator/interface.ts";
import { v1 } from "../../src/contract/v1/interface.ts";
import { toRate } from "../../src/http/rate-limit.ts";
import { type Documented, formats, pathsIn } from "../examples.ts";
import { openService, type Service } from "../service.ts";

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

function send(
	{ method, path }: Found,
	body?: unknown,
	headers: Record<string, string> = {},
): Promise<Response> {
	return service.call(path, {
		method,
		headers: { Origin: service.url, ...headers },
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
}

const ajv = new Ajv2020({ strict: false, formats });

function fits({ components }: Found, schema: object, value: unknown): boolean {
	return ajv.validate({ ...schema, components }, value);
}

function bodySchema({ requestBody }: Documented): object {
	return requestBody?.content?.["application/json"]?.schema ?? {};
}

/** A valid body. */
function exampleOf({ requestBody }: Documented): unknown {
	const { examples = {} } = requestBody?.content?.["application/json"] ?? {};
	return Object.values(examples)[0]?.value;
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
	const withBody = operations.filter(({ operation }) => operation.requestBody);

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

	test.each([
		["changePets", [{ changes: [] }, { changes: 1 }, {}]],
		[
			"changePets",
			[
				...[
					{ petId: 1, set: {} },
					{ petId: 1, set: { name: null } },
				],
				...[{ petId: 1 }, { petId: 1, set: {}, remove: true }],
				...[{ set: {} }, { petId: 0, set: {} }, { petId: 1.5, set: {} }],
				...[
					{ petId: 1, remove: false },
					{ petId: 1, remove: null },
				],
				...[
					{ petId: 9, remove: true },
					{ petId: 1, set: null },
				],
				...['"a"', "*", 'W/"a", "b",', "a", "", '"a', "* *"].map((ifMatch) => ({
					petId: 1,
					set: {},
					ifMatch,
				})),
			].map((entry) => ({ changes: [entry] })),
		],
		[
			"signIn",
			[{}, { key: "x" }, { link: "x" }, { key: "x", link: "x" }, { key: 1 }],
		],
		[
			"createKey",
			["x", "", " ", "a b", "a\u0007", "a\u200e", "x".repeat(101), 1].map(
				(name) => ({ name }),
			),
		],
		["rotateKey", [0, -1, 604_800, 604_801, 1.5, "1"].map(toRotation)],
	])("of %s is accepted exactly if it fits its schema", async (id, bodies) => {
		const found = operations.find((one) => one.id === id);
		if (found === undefined) throw new Error(`There is no ${id}.`);
		for (const body of bodies) {
			const { status } = await send(found, body);
			expect([body, status !== 400]).toEqual([
				body,
				fits(found, bodySchema(found.operation), body),
			]);
		}
	});
});

function toRotation(overlapSeconds: unknown) {
	return { overlapSeconds };
}

describe("a header of a request", () => {
	test.each([
		["X-Request-Id", ["a", "a b", "x".repeat(129), "\u00e9"]],
		["If-None-Match", ["a", '"a"', "*"]],
		["If-Match", ['"a"', "*", 'W/"a" , "b"', "a", '"a', '"a" "b"', ",,"]],
		["Idempotency-Key", ["a", "a b", "x".repeat(256), "\u00e9"]],
	])("%s is accepted exactly if it fits its schema", async (name, values) => {
		for (const found of operations) {
			const { operation } = found;
			const parameter = operation.parameters.find((one) => one.name === name);
			if (parameter === undefined) continue;
			for (const value of values) {
				const body = exampleOf(operation);
				const reply = await send(found, body, { [name]: value });
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
		const { headers, status } = await send(found, exampleOf(found.operation));
		const declared = found.operation.responses[status]?.headers ?? {};
		expect([found.id, status, headers.has("RateLimit")]).toEqual([
			...[found.id, status],
			"RateLimit" in declared,
		]);
	}
});

describe.each(["3.1", "3.0"] as const)("in OpenAPI %s", (version) => {
	const addresses = { baseUrl: undefined, stagingUrl: undefined };
	const texts = [v1, operator].map((one) => toOpenApi(one, addresses, version));

	test("gives each const and each enum a type", () => {
		for (const text of texts)
			JSON.parse(text, (_name, part: unknown) => {
				if (isSchema(part))
					expect([part, "type" in part]).toEqual([part, true]);
				return part;
			});
	});

	test("makes components of examples, headers, parameters and replies that occur twice", () => {
		for (const text of texts)
			for (const kind of ["examples", "headers", "parameters", "responses"]) {
				const inline = partsOf(JSON.parse(text).paths, kind);
				expect(new Set(inline).size).toBe(inline.length);
			}
	});

	test("gives no component the name of a schema, since generators make a type of each", () => {
		for (const text of texts) {
			const { schemas, ...others }: Record<string, object> =
				JSON.parse(text).components;
			const types = Object.keys(schemas ?? {}).map((name) =>
				name.toLowerCase(),
			);
			for (const parts of Object.values(others))
				for (const name of Object.keys(parts))
					expect(types).not.toContain(name.toLowerCase());
		}
	});

	test("has a component for every reference, and a reference to every component", () => {
		for (const text of texts) {
			const named = [...text.matchAll(/"\$ref": "#\/components\/([^"]+)"/g)];
			const { securitySchemes: _, ...components }: Record<string, object> =
				JSON.parse(text).components;
			const there = Object.entries(components).flatMap(([kind, parts]) =>
				Object.keys(parts).map((name) => `${kind}/${name}`),
			);
			expect(new Set(named.map(([, name]) => name))).toEqual(new Set(there));
		}
	});
});

function isSchema(part: unknown): part is object {
	return (
		typeof part === "object" &&
		part !== null &&
		("const" in part || ("enum" in part && Array.isArray(part.enum)))
	);
}

/** The JSON texts of the parts of one kind that are no references. */
function partsOf(value: unknown, kind: string): string[] {
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value).flatMap(([name, member]) => {
		if (name === "links") return [];
		if (name !== kind) return partsOf(member, kind);
		const parts: object[] = Object.values(member);
		return parts
			.filter((part) => !("$ref" in part))
			.map((part) => JSON.stringify(part));
	});
}
