// Shared by the tests of the examples in the OpenAPI documents: the documents, and the replies of every operation without rights, above a
// rate limit, after a failure and without a database.
import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { maxInt64 } from "../src/domain/json.ts";
import { toRate } from "../src/http/rate-limit.ts";
import { type CallOptions, openService, type Service } from "./service.ts";

export interface Documented {
	readonly operationId: string;
	readonly parameters: readonly DocumentedParameter[];
	readonly requestBody?: Body;
	readonly responses: Readonly<Record<string, Body>>;
}
interface DocumentedParameter {
	readonly name: string;
	readonly in: string;
	readonly schema: object;
	readonly example?: unknown;
}
interface Body {
	readonly description?: string;
	readonly headers?: object;
	/** Other media types have no examples. */
	readonly content?: {
		readonly [mediaType: string]: object | undefined;
		readonly "application/json"?: Content;
	};
}
interface Content {
	readonly schema: { readonly $ref: string };
	readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Document {
	readonly paths: object;
	readonly components: object;
}
interface Declared {
	readonly errors: readonly string[];
}

/** The operations of a document. Resolves all references except those to schemas. */
export function documentedIn(document: Document): readonly Documented[] {
	return Object.values(pathsIn(document)).flatMap((path) =>
		Object.values(path),
	);
}

/** The operations by path and method. */
export function pathsIn(
	document: Document,
): Readonly<Record<string, Readonly<Record<string, Documented>>>> {
	const components = new Map<string, object>(
		Object.entries(document.components),
	);
	const toPart = (_name: string, part: unknown) => {
		if (typeof part !== "object" || part === null || !("$ref" in part))
			return part;
		const [, , kind = "", name = ""] = String(part.$ref).split("/");
		const shared = new Map(Object.entries(components.get(kind) ?? {}));
		return kind === "schemas" ? part : shared.get(name);
	};
	return JSON.parse(JSON.stringify(document.paths, toPart));
}

/** Expects examples of the body, the success and each error of every operation. */
export function expectComplete(
	document: Document,
	operations: Readonly<Record<string, Declared>>,
): void {
	for (const { operationId, requestBody, responses } of documentedIn(
		document,
	)) {
		const codes = Object.values(responses).flatMap(valuesOf).flatMap(toCode);
		const { errors } = operations[operationId] ?? { errors: [] };
		expect([operationId, ...new Set(codes.sort())]).toEqual([
			operationId,
			...errors.toSorted(),
		]);
		if (requestBody?.content?.["application/json"])
			expect(valuesOf(requestBody)).not.toEqual([]);
		for (const [status, reply] of Object.entries(responses))
			if (reply.content?.["application/json"] !== undefined)
				expect([status, valuesOf(reply)]).not.toEqual([status, []]);
	}
}

/** Formats that do not limit a value, or that other tests check. */
export const formats: Readonly<Record<string, true>> = {
	int32: true,
	int64: true,
	"date-time": true,
	password: true,
};

/** Expects every example to match the schema of its body. */
export function expectFitting(document: Document): void {
	const ajv = new Ajv2020({ keywords: ["components"], formats });
	// Each schema is compiled once. Otherwise Ajv takes seconds of processor time.
	ajv.addSchema({ components: document.components }, "document");
	const validators = new Map<string, ValidateFunction>();
	for (const { requestBody = {}, responses } of documentedIn(document))
		for (const { content } of [requestBody, ...Object.values(responses)]) {
			const json = content?.["application/json"];
			if (json === undefined) continue;
			const { schema, examples } = json;
			const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
			const isValid = validators.get(text) ?? ajv.compile(JSON.parse(text));
			validators.set(text, isValid);
			for (const { value } of Object.values(examples))
				expect([value, isValid(value)]).toEqual([value, true]);
		}
}

/** The examples of the replies, by operation and name. */
export function repliesIn(
	documented: readonly Documented[],
): Readonly<Record<string, { status: number; value: unknown }>> {
	return Object.fromEntries(
		documented.flatMap(({ operationId, responses }) =>
			Object.entries(responses).flatMap(([status, { content }]) =>
				Object.entries(content?.["application/json"]?.examples ?? {}).map(
					([name, { value }]) => [
						`${operationId} ${name}`,
						{ status: Number(status), value },
					],
				),
			),
		),
	);
}

export type NamedReply = readonly [
	name: string,
	{ readonly status: number; readonly value: unknown },
];

export async function named(
	name: string,
	reply: Response | Promise<Response>,
): Promise<NamedReply> {
	const { status } = await reply;
	const text = await (await reply).text();
	return [name, { status, value: JSON.parse(text, withOrigin) }];
}

/** Gives every animal the key and the times of the examples. */
function withOrigin(
	this: { readonly kind?: unknown },
	name: string,
	value: unknown,
): unknown {
	if (name === "at" && this.kind !== "added") return "2026-11-16T09:00:00.000Z";
	return name in origins ? origins[name] : value;
}

const addedAt = "2026-11-16T08:00:00.000Z";
const origins: Readonly<Record<string, unknown>> = {
	at: addedAt,
	addedAt,
	addedBy: 1,
	by: { kind: "key", keyId: 1, name: "Ada" },
};

export type Call = Service["call"];

/** A valid request for each operation. */
export type Calls = Readonly<Record<string, CallOptions & { path: string }>>;

export function send(
	call: Call,
	{ path, ...options }: CallOptions & { path: string },
	authorization?: string | null,
): Promise<Response> {
	return call(path, {
		...options,
		...(authorization !== undefined && { authorization }),
	});
}

export async function replyWithoutKey(
	call: Call,
	calls: Calls,
): Promise<NamedReply[]> {
	const replies: NamedReply[] = [];
	for (const [id, options] of Object.entries(calls))
		replies.push(
			await named(`${id} noKey`, send(call, options, null)),
			await named(`${id} invalidKey`, send(call, options, "Bearer x")),
		);
	return replies;
}

export async function replyAboveRateLimit(calls: Calls): Promise<NamedReply[]> {
	const rateLimit = toRate("100/s");
	const { call, close } = await openService("in process", { rateLimit });
	const replies: NamedReply[] = [];
	for (const [id, options] of Object.entries(calls)) {
		// At once, because the limit grows by a request every 10 ms.
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

export async function replyAfterFailure(calls: Calls): Promise<NamedReply[]> {
	const { call, databaseUrl, close } = await openService("in process");
	const db = new Database(databaseUrl.slice("sqlite:".length));
	for (const table of ["pets", "categories"]) db.run(`DROP TABLE ${table}`);
	db.close();
	const replies: NamedReply[] = [];
	for (const [id, options] of Object.entries(calls))
		replies.push(await named(`${id} failure`, send(call, options)));
	await close();
	return replies;
}

/** The replies of the writing calls for animal 1, in a catalogue without free ids. */
export async function replyWithoutIds(calls: Calls): Promise<NamedReply[]> {
	const { call, store, databaseUrl, close } = await openService("in process");
	const pet = { name: "Rex", categoryId: 1n, status: "available" } as const;
	await store.catalogue.addPet({ pet });
	await store.catalogue.changePets([{ petId: 1n, set: { name: "Max" } }]);
	const db = new Database(databaseUrl.slice("sqlite:".length));
	db.run(`UPDATE sqlite_sequence SET seq = ${maxInt64} WHERE name = 'pets'`);
	db.close();
	const replies: NamedReply[] = [];
	for (const [id, options] of Object.entries(calls))
		if (options.method !== undefined)
			replies.push(await named(`${id} noIdLeft`, send(call, options)));
	await close();
	return replies;
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
