// The parameters of an operation in the OpenAPI document: in its path, in its query and in its headers.

import { visibleAscii } from "../../domain/api-key.ts";
import { tagsForm } from "../../domain/version.ts";
import { isConditionalRead, type Operation } from "../operation.ts";
import type { Parameter } from "../parameter.ts";
import { addition, mark } from "./responses.ts";

type Described = Pick<
	Parameter<unknown>,
	"name" | "description" | "schema" | "example"
> & {
	readonly in: string;
	readonly required?: boolean;
	readonly [mark]?: boolean;
};

export function toParameters(operation: Operation): readonly Described[] {
	const { pathParameters = {}, query, success, session } = operation;
	const changesSession = session === "begins" || session === "ends";
	const hasCookie = session === "reads" || session === "ends";
	const isRepeatable = success.headers.includes("Idempotency-Replayed");
	return [
		...Object.entries(pathParameters).map(([name, parameter]) => ({
			name,
			in: "path",
			required: true,
			...parameter,
		})),
		...query.map(toQueryParameter),
		...(isConditionalRead(operation) ? [header("If-None-Match")] : []),
		...(operation.honoursIfMatch ? [header("If-Match", tagsForm)] : []),
		...(isRepeatable ? [header("Idempotency-Key", visibleAscii)] : []),
		// Programs send the example to sign in.
		...(changesSession
			? [{ ...header("Sec-Fetch-Site"), example: "same-origin" }]
			: []),
		...(hasCookie ? [{ ...header("petstore"), in: "cookie" }] : []),
		header("X-Request-Id"),
	];
}

function toQueryParameter(parameter: Parameter<unknown>): Described {
	const { name, description, schema, example } = parameter;
	return {
		name,
		in: "query",
		description,
		schema,
		// A list has commas.
		...("items" in schema && { style: "form", explode: false }),
		...(example !== undefined && { example }),
		...(parameter.addition && addition),
	};
}

function header(name: keyof typeof requestHeaders, pattern?: RegExp) {
	return {
		name,
		in: "header",
		description: requestHeaders[name],
		schema: { type: "string", ...(pattern && { pattern: pattern.source }) },
		...addition,
	};
}

const requestHeaders = {
	"If-None-Match":
		"An `ETag` of an earlier reply. If it is still current, the reply is a 304.",
	"If-Match":
		"ETags of the animal, separated by commas, or `*`. If the animal has none of them, the reply is a 412.",
	"Idempotency-Key":
		"A name for this request, so that it can be repeated safely.",
	"Sec-Fetch-Site":
		"`same-origin`, which browsers send automatically from a page of the service. Without this header the `Origin` must equal the `Host`.",
	petstore:
		"The session, set by signing in. Over HTTPS its name is `__Host-petstore`.",
	"X-Request-Id":
		"A name for this request in the log of the service: 1 to 64 of the characters `A-Z a-z 0-9 . _ -`, which come back in the reply. Any other value is ignored.",
};
