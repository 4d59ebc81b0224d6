// The examples of openapi.json are true: they fit their schemas, and the service gives exactly these replies.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { pino } from "pino";
import { makeKey } from "../../harness/key.ts";
import { startProxy } from "../../harness/postgres/proxy.ts";
import { createDatabase } from "../../harness/postgres/server.ts";
import openapi from "../../openapi.json" with { type: "json" };
import { operations } from "../../src/contract/v1/operations.ts";
import { toRate } from "../../src/http/rate-limit.ts";
import { openPetstore } from "../../src/petstore.ts";
import { type CallOptions, openService } from "../service.ts";

interface Content {
	readonly schema: { readonly $ref: string };
	readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Body {
	readonly description?: string;
	readonly content?: { readonly "application/json": Content };
}
interface DocumentedOperation {
	readonly operationId: string;
	readonly requestBody?: Body;
	readonly responses: Readonly<Record<string, Body>>;
}

const paths: Readonly<
	Record<string, Readonly<Record<string, DocumentedOperation>>>
> = openapi.paths;
const documented = Object.values(paths).flatMap((path) => Object.values(path));

test("every operation has examples of its body, of its success and of each of its errors", () => {
	for (const { operationId, requestBody, responses } of documented) {
		const codes = Object.values(responses).flatMap(valuesOf).flatMap(toCode);
		const declared = Object.entries(operations)
			.filter(([id]) => id === operationId)
			.flatMap(([, { errors, furtherErrors }]) => [
				...errors,
				...furtherErrors,
			]);
		expect([...new Set<string>(codes)].sort()).toEqual(declared.sort());
		if (requestBody) expect(valuesOf(requestBody)).not.toEqual([]);
		for (const [status, reply] of Object.entries(responses))
			if (status !== "304") expect(valuesOf(reply)).not.toEqual([]);
	}
});

test("every example fits the schema of its body", () => {
	const ajv = new Ajv2020({
		keywords: ["components"],
		formats: { int32: true, int64: true },
	});
	const { components } = openapi;
	for (const { requestBody = {}, responses } of documented)
		for (const { content } of [requestBody, ...Object.values(responses)]) {
			if (content === undefined) continue;
			const { schema, examples } = content["application/json"];
			const isValid = ajv.compile({ ...schema, components });
			for (const { value } of Object.values(examples))
				expect([value, isValid(value)]).toEqual([value, true]);
		}
});

test("the service gives the replies of the examples", async () => {
	const replies = await Promise.all([
		replyToStory(),
		replyAboveRateLimit(),
		replyAfterFailure(),
		replyWithoutPostgres(),
	]);
	expect(Object.fromEntries(replies.flat())).toEqual(
		Object.fromEntries(
			documented.flatMap(({ operationId, responses }) =>
				Object.entries(responses).flatMap(([status, { content }]) =>
					Object.entries(content?.["application/json"].examples ?? {}).map(
						([name, { value }]) => [
							`${operationId} ${name}`,
							{ status: Number(status), value },
						],
					),
				),
			),
		),
	);
}, 60_000);

type NamedReply = readonly [
	name: string,
	{ readonly status: number; readonly value: unknown },
];

async function named(
	name: string,
	reply: Response | Promise<Response>,
): Promise<NamedReply> {
	const { status } = await reply;
	return [name, { status, value: await (await reply).json() }];
}

/** The examples of requests, sent to an empty catalogue, and requests that are refused. */
async function replyToStory(): Promise<NamedReply[]> {
	const { call, makeKey, close } = await openService("over a socket");
	const replies = [await named("listPets noAnimals", call("/v1/pets"))];
	for (const [name, { value }] of Object.entries(requestExamples))
		replies.push(
			await named(`createPet ${name}`, post(call, JSON.stringify(value))),
		);
	for (const [name, path] of [
		["listPets twoAnimals", "/v1/pets"],
		["getPet animal", "/v1/pets/1"],
		["getPet noAnimal", "/v1/pets/99"],
		["listPets limit", "/v1/pets?limit=0"],
		["listPets status", "/v1/pets?status=gone"],
		["listPets cursor", "/v1/pets?cursor=x"],
	] as const)
		replies.push(await named(name, call(path)));
	await post(call, rex, { headers: { "Idempotency-Key": "k" } });
	const authorization = `Bearer ${await makeKey({ scope: "read" })}`;
	for (const [name, body, options] of [
		["notJson", '{"name":"Rex",}'],
		["notNewPet", '{"name":5,"status":"gone"}'],
		["idempotencyKey", rex, { headers: { "Idempotency-Key": "a b" } }],
		["readKey", rex, { authorization }],
		["largeBody", "x".repeat(65_537)],
		["mediaType", rex, { headers: { "Content-Type": "text/plain" } }],
		["anotherAnimal", max, { headers: { "Idempotency-Key": "k" } }],
		["slowBody", new ReadableStream()],
	] as const)
		replies.push(await named(`createPet ${name}`, post(call, body, options)));
	for (const [id, options] of Object.entries(calls))
		replies.push(
			await named(`${id} noKey`, send(call, options, null)),
			await named(`${id} invalidKey`, send(call, options, "Bearer x")),
		);
	await close();
	return replies;
}

async function replyAboveRateLimit(): Promise<NamedReply[]> {
	const rateLimit = toRate("100/s");
	const { call, close } = await openService("in process", { rateLimit });
	const replies: NamedReply[] = [];
	for (const [id, options] of Object.entries(calls)) {
		// At the same time, since the limit grows by a request every 10 ms.
		const all = await Promise.all(
			Array.from({ length: 200 }, () => send(call, options)),
		);
		const refused = all.find(({ status }) => status === 429);
		replies.push(
			await named(`${id} tooManyRequests`, refused ?? Response.error()),
		);
	}
	await close();
	return replies;
}

async function replyAfterFailure(): Promise<NamedReply[]> {
	const { call, databaseUrl, close } = await openService("in process");
	const db = new Database(databaseUrl.slice("sqlite:".length));
	db.run("DROP TABLE pets");
	db.close();
	const replies: NamedReply[] = [];
	for (const [id, options] of Object.entries(calls))
		replies.push(await named(`${id} failure`, send(call, options)));
	await close();
	return replies;
}

async function replyWithoutPostgres(): Promise<NamedReply[]> {
	const database = await createDatabase();
	const proxy = await startProxy(database.url);
	const apiKey = "a-key-known-to-the-tests";
	const service = await openPetstore({
		database: proxy.url,
		apiKey,
		log: pino({ level: "silent" }),
	});
	const { key, record } = makeKey();
	await service.store.keys.add(record);
	const call: Call = async (path, { authorization, headers, ...rest } = {}) =>
		service.fetch(
			new Request(`http://petstore.test${path}`, {
				method: rest.method ?? "GET",
				body: rest.body ?? null,
				headers: {
					Authorization: authorization ?? `Bearer ${apiKey}`,
					...(headers?.["Idempotency-Key"] && { "Idempotency-Key": "k" }),
				},
			}),
		);
	await post(call, rex);
	proxy.dropReplyTo("addPets");
	const replies = [await named("createPet mayBeAdded", post(call, rex))];
	proxy.dropReplyTo("addPets");
	const withKey = { headers: { "Idempotency-Key": "k" } };
	replies.push(
		await named("createPet mayBeAddedWithKey", post(call, rex, withKey)),
	);
	proxy.close();
	for (const [id, options] of Object.entries(calls)) {
		const name = id === "createPet" ? "nothingAdded" : "storeUnavailable";
		replies.push(
			await named(`${id} ${name}`, send(call, options)),
			await named(`${id} keyNotLookedUp`, send(call, options, `Bearer ${key}`)),
		);
	}
	await service.stop();
	await database.remove();
	return replies;
}

type Call = (path: string, options?: CallOptions) => Promise<Response>;

const rex = '{"name":"Rex","categoryId":1}';
const max = '{"name":"Max","categoryId":1}';

/** A valid request for each operation. */
const calls: Readonly<Record<string, CallOptions & { path: string }>> = {
	listPets: { path: "/v1/pets" },
	createPet: { path: "/v1/pets", method: "POST", body: rex },
	getPet: { path: "/v1/pets/1" },
};

const requestExamples =
	openapi.paths["/pets"].post.requestBody.content["application/json"].examples;

function send(
	call: Call,
	{ path, ...options }: CallOptions & { path: string },
	authorization?: string | null,
): Promise<Response> {
	return call(path, {
		...options,
		...(authorization !== undefined && { authorization }),
	});
}

function post(
	call: Call,
	body: CallOptions["body"],
	options: CallOptions = {},
): Promise<Response> {
	return call("/v1/pets", { ...options, method: "POST", body });
}

function valuesOf({ content }: Body): unknown[] {
	const { examples = {} } = content?.["application/json"] ?? {};
	return Object.values(examples).map(({ value }) => value);
}

function toCode(value: unknown): string[] {
	return typeof value === "object" && value !== null && "code" in value
		? [String(value.code)]
		: [];
}
