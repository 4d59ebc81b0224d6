// The replies of an operation in the OpenAPI document: success, 304 and each error status, with their headers and examples.
import {
	type ErrorCode,
	errorStatus,
	isTransient,
} from "../../domain/errors.ts";
import {
	type Examples,
	type HeaderName,
	httpStatus,
	isConditionalRead,
	type Operation,
	replyHeaders,
} from "../operation.ts";
import type { Schema } from "../schemas.ts";

/** What the interface document does not have is marked. */
export const mark = "x-addition";
export const addition = { [mark]: true };

export interface DescribedReply {
	readonly description: string;
	readonly headers: Readonly<Record<string, { readonly description: string }>>;
	/** By media type. */
	readonly content?: Readonly<Record<string, DescribedBody>>;
	readonly [mark]?: boolean;
}

export interface DescribedBody {
	readonly schema: Schema;
	readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** By status. */
export function toResponses(
	operation: Operation,
): Readonly<Record<string, DescribedReply>> {
	const { success, errors, furtherErrors, examples } = operation;
	const headers = {
		...toHeaders([...success.headers, ...keyHolder(operation)]),
		...(changesCookie(operation) && { "Set-Cookie": setCookie }),
	};
	const codes = Map.groupBy(
		[...errors, ...furtherErrors],
		(code) => errorStatus[code],
	);
	return {
		[success.status]: {
			description: success.description,
			headers,
			...toContent(success, examples.success),
			...(success.headers.includes("Location") && toLinks(success.located)),
		},
		...(isConditionalRead(operation) && {
			[httpStatus.notModified]: {
				description:
					"What the `If-None-Match` of the request names is still true.",
				headers,
				...addition,
			},
		}),
		...Object.fromEntries(
			[...codes].map(([status, codes]) => [
				status,
				toErrorResponse(operation, codes),
			]),
		),
	};
}

function changesCookie({ session }: Operation): boolean {
	return session === "begins" || session === "ends";
}

/** Not one of the other headers, which scripts may read. */
const setCookie = {
	description: "Sets the cookie of the session, or clears it.",
	schema: { type: "string" },
	...addition,
};

function toContent(
	{ body, otherBodies = {} }: Operation["success"],
	examples: Examples,
): Pick<DescribedReply, "content"> {
	const others = Object.entries(otherBodies).map(([mediaType, schema]) => [
		mediaType,
		{ schema },
	]);
	if (body === undefined && others.length === 0) return {};
	return {
		content: {
			...(body !== undefined && jsonContent(body, examples)),
			...Object.fromEntries(others),
		},
	};
}

/** OpenAPI has no expression for the address in a `Link` header, so there is none to the next page. */
function toLinks(operationId = ""): object {
	const link = {
		operationId,
		parameters: { petId: "$response.body#/id" },
		description: "Gets the animal that was added.",
		...addition,
	};
	return { links: { [operationId]: link } };
}

/** Several codes can have the same status. */
function toErrorResponse(
	operation: Operation,
	codes: readonly ErrorCode[],
): DescribedReply {
	const examples = Object.entries(operation.examples.errors).filter(
		([, { code }]) => codes.includes(code),
	);
	const named = codes.map((code) => `\`${code}\``).join(" or ");
	return {
		description: `Refused with code ${named}.`,
		headers: toHeaders(errorHeaders(operation, codes)),
		content: jsonContent("Error", Object.fromEntries(examples)),
		...(!codes.some((code) => operation.errors.includes(code)) && addition),
	};
}

function errorHeaders(
	operation: Operation,
	codes: readonly ErrorCode[],
): readonly HeaderName[] {
	if (codes.includes("unauthenticated"))
		return ["WWW-Authenticate", "X-Request-Id"];
	return [
		...(codes.some(isTransient) ? (["Retry-After"] as const) : []),
		...keyHolder(operation),
	];
}

/** What every reply to a caller with a valid key may have. Other callers are not told of the deprecation, and their rate is not limited. */
function keyHolder({ deprecation, scope }: Operation): readonly HeaderName[] {
	return [
		...(deprecation ? (["Deprecation", "Sunset", "Link"] as const) : []),
		...(scope ? (["RateLimit-Policy", "RateLimit"] as const) : []),
		"X-Request-Id",
	];
}

function toHeaders(names: readonly HeaderName[]): DescribedReply["headers"] {
	return Object.fromEntries(
		names.map((name) => [
			name,
			{
				description: replyHeaders[name],
				schema: { type: "string" },
				...addition,
			},
		]),
	);
}

export function jsonContent(
	/** Its name. */
	schema: string,
	examples: Examples = {},
	mediaType = "application/json",
): Readonly<Record<string, DescribedBody>> {
	return {
		[mediaType]: {
			schema: { $ref: `#/components/schemas/${schema}` },
			examples: Object.fromEntries(
				Object.entries(examples).map(([name, value]) => [name, { value }]),
			),
		},
	};
}
