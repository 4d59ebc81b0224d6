// The parameters and the replies of an operation, as the OpenAPI documents and the reference page show them.

import { visibleAscii } from "../domain/access/secret.ts";
import { type ErrorCode, errorStatus, isTransient } from "../domain/errors.ts";
import type { Members, Schema, Type } from "../domain/types/type.ts";
import { tagsForm } from "../domain/version.ts";
import { errorMeanings } from "./errors.ts";
import { type ReplyHeader, replyHeaders, requestHeaders } from "./headers.ts";
import { type Described, toErrors, toStatus } from "./operation.ts";

/** Marks what the interface document does not have. */
export const mark = "x-addition";
const addition = { [mark]: true } as const;

interface Marked {
	readonly description: string;
	readonly [mark]?: true;
}

export interface Parameter extends Marked {
	readonly name: string;
	readonly in: "path" | "query" | "header" | "cookie";
	readonly required?: true;
	readonly schema: Schema;
	readonly example?: unknown;
}

export function toParameters(operation: Described): readonly Parameter[] {
	const { params = {}, query = {}, additions = [], headers = [] } = operation;
	const { honoursIfMatch, session } = operation;
	const changesSession = session === "begins" || session === "ends";
	return [
		...fromMembers(params, "path"),
		...fromMembers(query, "query").map((one) =>
			additions.includes(one.name) ? { ...one, ...addition } : one,
		),
		...(isConditionalRead(operation) ? [header("If-None-Match")] : []),
		...(honoursIfMatch ? [header("If-Match", tagsForm)] : []),
		...(headers.includes("Idempotency-Replayed")
			? [header("Idempotency-Key", visibleAscii)]
			: []),
		// Programs send the example to sign in.
		...(changesSession
			? [{ ...header("Sec-Fetch-Site"), example: "same-origin" }]
			: []),
		...(session === "reads" || session === "ends" ? [cookie] : []),
		header("X-Request-Id"),
	];
}

function fromMembers(
	members: Members,
	place: "path" | "query",
): readonly Parameter[] {
	return Object.entries(members).map(([name, { schema, isOptional }]) => ({
		name,
		in: place,
		...(!isOptional && { required: true }),
		description: schema.description ?? "",
		schema,
		// A list has commas.
		...(schema.items && { style: "form", explode: false }),
		...(schema.example !== undefined && { example: schema.example }),
	}));
}

function header(name: keyof typeof requestHeaders, form?: RegExp): Parameter {
	return {
		name,
		in: "header",
		description: requestHeaders[name],
		schema: { type: "string", ...(form && { pattern: form.source }) },
		...addition,
	};
}

const cookie: Parameter = {
	name: "petstore",
	in: "cookie",
	description:
		"The session, set by signing in. Over HTTPS its name is `__Host-petstore`.",
	schema: { type: "string" },
	...addition,
};

/** Whether `If-None-Match` can give a 304. */
function isConditionalRead({ method, headers = [] }: Described): boolean {
	return method === "GET" && headers.includes("ETag");
}

export interface DescribedReply extends Marked {
	readonly status: number;
	/** Of an error; several can have the same status. */
	readonly codes: readonly ErrorCode[];
	readonly headers: Readonly<Record<string, string>>;
	readonly content: Content;
	readonly links?: object;
}

/** A body, by media type. */
export type Content = Readonly<Record<string, Body>>;

interface Body {
	readonly schema: Schema;
	readonly example?: unknown;
}

/** `error` is the body of every error. */
export function toReplies(
	operation: Described,
	error: Type,
): readonly DescribedReply[] {
	const success = toSuccess(operation);
	const notModified: DescribedReply = {
		status: 304,
		codes: [],
		description: "The `ETag` in `If-None-Match` is still current.",
		headers: success.headers,
		content: {},
		...addition,
	};
	const codes = Map.groupBy(toErrors(operation), (code) => errorStatus[code]);
	return [
		success,
		...(isConditionalRead(operation) ? [notModified] : []),
		...[...codes].map(([status, codes]) => ({
			status,
			codes,
			description: codes
				.map((code) => `\`${code}\`: ${errorMeanings[code]}`)
				.join(" "),
			headers: toErrorHeaders(operation, codes),
			content: { "application/json": { schema: error.schema } },
			...(!codes.some((code) => operation.named?.includes(code)) && addition),
		})),
	];
}

function toSuccess(operation: Described): DescribedReply {
	const { reply, fileReply = {}, session, headers = [], located } = operation;
	const [file = "Done."] = Object.values(fileReply);
	return {
		status: toStatus(operation),
		codes: [],
		description: reply?.schema.description ?? file,
		headers: {
			...toHeaders([...headers, ...ofKeyHolder(operation)]),
			...((session === "begins" || session === "ends") && {
				"Set-Cookie": "Sets the cookie of the session, or clears it.",
			}),
		},
		content: toContent(operation),
		...(located !== undefined && {
			links: { [located]: linkToAdded(located) },
		}),
	};
}

function linkToAdded(operationId: string): object {
	const parameters = { petId: "$response.body#/id" };
	const description = "Gets the animal that was added.";
	return { operationId, parameters, description, ...addition };
}

function toContent({ reply, fileReply = {} }: Described) {
	const content: Record<string, Body> = {};
	if (reply !== undefined)
		content["application/json"] = {
			schema: reply.schema,
			example: toExample(reply.schema),
		};
	for (const [mediaType, description] of Object.entries(fileReply)) {
		const format = /text|json/.test(mediaType) ? {} : { format: "binary" };
		content[mediaType] = { schema: { type: "string", ...format, description } };
	}
	return content;
}

/** The body of a request. */
export function toRequestContent(operation: Described): Content {
	const { body, mediaType = "application/json", file = {} } = operation;
	const content: Record<string, Body> = {};
	for (const [type, text] of Object.entries(file))
		content[type] = { schema: { type: "string" }, example: text };
	if (body === undefined) return content;
	const { schema } = body;
	const shown = { schema, example: operation.example ?? toExample(schema) };
	content["application/json"] = shown;
	content[mediaType] = shown;
	return content;
}

/** A value with all members, even those that may be absent. */
export function toExample(schema: Schema): unknown {
	const { example, type, format, items, oneOf, properties } = schema;
	if (example !== undefined) return example;
	if (schema.enum) return schema.enum[0];
	if (oneOf?.[0]) return toExample(oneOf[0]);
	if (items) return [toExample(items)];
	if (type === "boolean") return true;
	if (format === "date-time") return "2027-01-31T08:15:00.000Z";
	if (properties === undefined) return Math.max(schema.minimum ?? 1, 1);
	const members = Object.entries(properties);
	return Object.fromEntries(
		members.map(([name, one]) => [name, toExample(one)]),
	);
}

function toErrorHeaders(operation: Described, codes: readonly ErrorCode[]) {
	if (codes.includes("unauthenticated"))
		return toHeaders(["WWW-Authenticate", "X-Request-Id"]);
	const isRetried = codes.some(isTransient);
	return toHeaders([
		...(isRetried ? (["Retry-After"] as const) : []),
		...ofKeyHolder(operation),
	]);
}

/** The headers of any reply to a caller with a valid key. Other callers get no deprecation headers and have no rate limit. */
function ofKeyHolder({
	deprecation,
	scope,
}: Described): readonly ReplyHeader[] {
	return [
		...(deprecation ? (["Deprecation", "Sunset", "Link"] as const) : []),
		...(scope ? (["RateLimit-Policy", "RateLimit"] as const) : []),
		"X-Request-Id",
	];
}

function toHeaders(names: readonly ReplyHeader[]) {
	return Object.fromEntries(names.map((name) => [name, replyHeaders[name]]));
}
