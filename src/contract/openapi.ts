// Describes the contract as an OpenAPI 3.1 document. What is not in the interface document is marked `x-addition`.
import {
	type ErrorCode,
	errorStatus,
	isServiceCode,
	isTransient,
} from "./errors.ts";
import {
	type HeaderName,
	httpStatus,
	type Operation,
	replyHeaders,
	type SchemaName,
} from "./operation.ts";
import { visibleAscii } from "./parameter.ts";
import { schemas } from "./schemas.ts";
import {
	interfaceVersion,
	type OperationId,
	operations,
	versionPrefix,
} from "./v1.ts";

export function toOpenApi(options: {
	operationIds: readonly OperationId[];
	baseUrl: string | undefined;
	stagingUrl: string | undefined;
}): string {
	const { operationIds, baseUrl = "", stagingUrl } = options;
	const document = {
		openapi: "3.1.0",
		info: {
			title: "Pet Store",
			version: interfaceVersion,
			summary: "A catalogue of animals: list, add, get one.",
			description:
				"Parts marked `x-addition` are promises beyond the interface document; a client need not know them. " +
				"HEAD is answered wherever GET is, and OPTIONS with a 204. To a caller with a key, any other path is a 404 and any other method a 405, with an Error body.",
			license: { name: "MIT", identifier: "MIT" },
		},
		servers: [
			{ url: baseUrl + versionPrefix, description: "Production" },
			...(stagingUrl === undefined
				? []
				: [{ url: stagingUrl + versionPrefix, description: "Staging" }]),
		],
		security: [{ apiKey: [] }],
		tags: [{ name: "pets", description: "The catalogue of animals." }],
		paths: toPaths(operationIds),
		components: {
			securitySchemes: {
				apiKey: {
					type: "http",
					scheme: "bearer",
					description: "The API key is the bearer token.",
				},
			},
			schemas,
		},
	};
	return `${JSON.stringify(document, null, 2)}\n`;
}

function toPaths(operationIds: readonly OperationId[]): object {
	const byPath = Map.groupBy(operationIds, (id) => operations[id].path);
	return Object.fromEntries(
		[...byPath].map(([path, ids]) => [
			path,
			Object.fromEntries(
				ids.map((id) => [
					operations[id].method.toLowerCase(),
					toOperation(id, operations[id]),
				]),
			),
		]),
	);
}

function toOperation(operationId: OperationId, operation: Operation): object {
	const { summary, description, body, deprecation } = operation;
	return {
		operationId,
		summary,
		description,
		tags: ["pets"],
		...(deprecation && {
			deprecated: true,
			"x-deprecated-sunset": deprecation.sunset.toISOString().slice(0, 10),
		}),
		parameters: toParameters(operation),
		...(body && { requestBody: { required: true, content: json(body) } }),
		responses: toResponses(operation),
	};
}

function toParameters(operation: Operation): object[] {
	const { pathParameters = {}, query, success } = operation;
	return [
		...Object.entries(pathParameters).map(([name, parameter]) => ({
			name,
			in: "path",
			required: true,
			...parameter,
		})),
		...query.map(({ name, description, schema, addition }) => ({
			name,
			in: "query",
			description,
			schema,
			...(addition && mark),
		})),
		...(success.headers.includes("ETag") ? [ifNoneMatch] : []),
		...(success.headers.includes("Idempotency-Replayed")
			? [idempotencyKey]
			: []),
	];
}

const mark = { "x-addition": true };

const ifNoneMatch = {
	name: "If-None-Match",
	in: "header",
	description: "An `ETag` of an earlier reply: if it is still true, 304.",
	schema: { type: "string" },
	...mark,
};

const idempotencyKey = {
	name: "Idempotency-Key",
	in: "header",
	description: "A name for this request, so that it can be repeated safely.",
	schema: { type: "string", pattern: visibleAscii.source },
	...mark,
};

function toResponses(operation: Operation): object {
	const { success, errors, furtherErrors, deprecation } = operation;
	const headers = toHeaders([
		...success.headers,
		...(deprecation ? deprecationHeaders : []),
	]);
	const codes = Map.groupBy(
		[...errors, ...furtherErrors],
		(code) => errorStatus[code],
	);
	return {
		[success.status]: {
			description: success.description,
			headers,
			content: json(success.body),
		},
		...(success.headers.includes("ETag") && {
			[httpStatus.notModified]: {
				description:
					"What the `If-None-Match` of the request names is still true.",
				headers,
				...mark,
			},
		}),
		...Object.fromEntries(
			[...codes].map(([status, codes]) => [
				status,
				{
					description: `Refused with code ${codes.map((code) => `\`${code}\``).join(" or ")}.`,
					headers: {
						...toHeaders(errorHeaders(operation, codes)),
						...(codes.some(isServiceCode) && requestIdHeader),
					},
					content: json("Error"),
					...(!codes.some((code) => errors.includes(code)) && mark),
				},
			]),
		),
	};
}

const requestIdHeader = {
	"X-Request-Id": {
		description: "Names this reply in the log of the service.",
		schema: { type: "string" },
		...mark,
	},
};

function errorHeaders(
	{ deprecation }: Operation,
	codes: readonly ErrorCode[],
): HeaderName[] {
	// A caller without a valid key is not told of the deprecation.
	if (codes.includes("unauthenticated")) return ["WWW-Authenticate"];
	return [
		...(codes.some(isTransient) ? (["Retry-After"] as const) : []),
		...(deprecation ? deprecationHeaders : []),
	];
}

const deprecationHeaders = ["Deprecation", "Sunset", "Link"] as const;

function toHeaders(names: readonly HeaderName[]): object {
	return Object.fromEntries(
		names.map((name) => [
			name,
			{ description: replyHeaders[name], schema: { type: "string" }, ...mark },
		]),
	);
}

function json(schema: SchemaName): object {
	return {
		"application/json": {
			schema: { $ref: `#/components/schemas/${schema}` },
		},
	};
}
