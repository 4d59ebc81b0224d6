// The replies of an operation in the OpenAPI document: success, 304 and each error status, with their headers.
import {
	type ErrorCode,
	errorStatus,
	isTransient,
} from "../../domain/errors.ts";
import { errorMeanings } from "../error-meanings.ts";
import {
	type HeaderName,
	httpStatus,
	isConditionalRead,
	type Operation,
	replyHeaders,
} from "../operation.ts";
import { ref, type Schema } from "../schemas.ts";

/** Marks an addition to the interface document. */
export const mark = "x-addition";
export const addition = { [mark]: true };

export interface DescribedReply {
	readonly description: string;
	readonly headers: Readonly<Record<string, { readonly description: string }>>;
	readonly content?: Readonly<Record<string, DescribedBody>>;
	readonly [mark]?: boolean;
}

interface DescribedBody {
	readonly schema: Schema;
	readonly example?: unknown;
}

export function toResponses(
	operation: Operation,
): Readonly<Record<string, DescribedReply>> {
	const { success, session } = operation;
	const headers = {
		...toHeaders([...success.headers, ...keyHolder(operation)]),
		...((session === "begins" || session === "ends") && {
			// Not in `replyHeaders`, which scripts may read.
			"Set-Cookie": header("Sets the cookie of the session, or clears it."),
		}),
	};
	const codes = Map.groupBy(operation.errors, (code) => errorStatus[code]);
	return {
		[success.status]: {
			description: success.description,
			headers,
			...toContent(success),
			...(success.headers.includes("Location") && toLinks(success.located)),
		},
		...(isConditionalRead(operation) && {
			[httpStatus.notModified]: {
				description: "The `ETag` in `If-None-Match` is still current.",
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

function toContent({
	body,
	example,
	otherBodies = {},
}: Operation["success"]): Pick<DescribedReply, "content"> {
	const content = { ...(body !== undefined && jsonContent(body, example)) };
	for (const [mediaType, schema] of Object.entries(otherBodies))
		content[mediaType] = { schema };
	return Object.keys(content).length === 0 ? {} : { content };
}

/** Has no link to the next page: OpenAPI has no expression for the target of a `Link` header. */
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
	const meanings = codes.map((code) => `\`${code}\`: ${errorMeanings[code]}`);
	const headers: readonly HeaderName[] = codes.includes("unauthenticated")
		? ["WWW-Authenticate", "X-Request-Id"]
		: [
				...(codes.some(isTransient) ? (["Retry-After"] as const) : []),
				...keyHolder(operation),
			];
	return {
		description: meanings.join(" "),
		headers: toHeaders(headers),
		content: jsonContent("Error"),
		...(!codes.some((code) => operation.named?.includes(code)) && addition),
	};
}

/** Headers of any reply to a caller with a valid key. Other callers get no deprecation headers and have no rate limit. */
function keyHolder({ deprecation, scope }: Operation): readonly HeaderName[] {
	return [
		...(deprecation ? (["Deprecation", "Sunset", "Link"] as const) : []),
		...(scope ? (["RateLimit-Policy", "RateLimit"] as const) : []),
		"X-Request-Id",
	];
}

function toHeaders(names: readonly HeaderName[]): DescribedReply["headers"] {
	return Object.fromEntries(
		names.map((name) => [name, header(replyHeaders[name])]),
	);
}

function header(description: string) {
	return { description, schema: { type: "string" }, ...addition };
}

export function jsonContent(
	schema: string,
	example?: unknown,
	mediaType = "application/json",
): Record<string, DescribedBody> {
	return {
		[mediaType]: {
			schema: ref(schema),
			...(example !== undefined && { example }),
		},
	};
}
