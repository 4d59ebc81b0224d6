// The parameters of an operation in the OpenAPI document: in its path, in its query and in its headers.
import type { Operation } from "../operation.ts";
import { visibleAscii } from "../parameter.ts";
import { addition } from "./json-content.ts";

export function toParameters(operation: Operation): object[] {
	const { pathParameters = {}, query, success } = operation;
	return [
		...Object.entries(pathParameters).map(([name, parameter]) => ({
			name,
			in: "path",
			required: true,
			...parameter,
		})),
		...query.map(({ name, description, schema, addition: isAddition }) => ({
			name,
			in: "query",
			description,
			schema,
			...(isAddition && addition),
		})),
		...(success.headers.includes("ETag") ? [ifNoneMatch] : []),
		...(success.headers.includes("Idempotency-Replayed")
			? [idempotencyKey]
			: []),
		requestId,
	];
}

const ifNoneMatch = {
	name: "If-None-Match",
	in: "header",
	description: "An `ETag` of an earlier reply: if it is still true, 304.",
	schema: { type: "string" },
	...addition,
};

const idempotencyKey = {
	name: "Idempotency-Key",
	in: "header",
	description: "A name for this request, so that it can be repeated safely.",
	schema: { type: "string", pattern: visibleAscii.source },
	...addition,
};

const requestId = {
	name: "X-Request-Id",
	in: "header",
	description:
		"A name for this request in the log of the service, which the reply has too. A value of another form is ignored.",
	schema: { type: "string", pattern: "^[!-~]{1,128}$" },
	...addition,
};
