// The parameters of an operation in the OpenAPI document: in its path, in its query and in its headers.

import { isConditionalRead, type Operation } from "../operation.ts";
import {
	maxRequestIdLength,
	type Parameter,
	visibleAscii,
} from "../parameter.ts";
import { ifMatchForm } from "../version.ts";
import { addition, mark } from "./responses.ts";

export interface DescribedParameter
	extends Pick<
		Parameter<unknown>,
		"name" | "description" | "schema" | "example"
	> {
	readonly in: string;
	readonly required?: boolean;
	readonly [mark]?: boolean;
}

export function toParameters(
	operation: Operation,
): readonly DescribedParameter[] {
	const { pathParameters = {}, query, success, session } = operation;
	return [
		...Object.entries(pathParameters).map(([name, parameter]) => ({
			name,
			in: "path",
			required: true,
			...parameter,
		})),
		...query.map(toQueryParameter),
		...(isConditionalRead(operation) ? [ifNoneMatch] : []),
		...(operation.honoursIfMatch ? [ifMatch] : []),
		...(operation.honoursLastEventId ? [lastEventId] : []),
		...(success.headers.includes("Idempotency-Replayed")
			? [idempotencyKey]
			: []),
		...(session === "begins" || session === "ends" ? [fetchSite] : []),
		...(session === "reads" || session === "ends" ? [sessionCookie] : []),
		requestId,
	];
}

function toQueryParameter(parameter: Parameter<unknown>): DescribedParameter {
	const { name, description, schema, example } = parameter;
	return {
		name,
		in: "query",
		description,
		schema,
		...("items" in schema && commaSeparated),
		...(example !== undefined && { example }),
		...(parameter.addition && addition),
	};
}

/** How a list is written in a query. */
const commaSeparated = { style: "form", explode: false };

function header(
	name: string,
	description: string,
	{ pattern, example }: { pattern?: RegExp; example?: string } = {},
): DescribedParameter {
	return {
		...{ name, in: "header", description },
		schema: { type: "string", ...(pattern && { pattern: pattern.source }) },
		...(example !== undefined && { example }),
		...addition,
	};
}

const ifNoneMatch = header(
	"If-None-Match",
	"An `ETag` of an earlier reply: if it is still true, 304.",
);

const ifMatch = header(
	"If-Match",
	"ETags of the animal, separated by commas, or `*`. If the animal has none of them any more, 412.",
	{ pattern: ifMatchForm },
);

const lastEventId = header(
	"Last-Event-ID",
	"For a stream: the `id` of the last event of an earlier one, to go on after it. Browsers send it by themselves. It counts in place of `after`, and is ignored without a stream.",
);

const idempotencyKey = header(
	"Idempotency-Key",
	"A name for this request, so that it can be repeated safely.",
	{ pattern: visibleAscii },
);

/** Its example lets programs sign in too. */
const fetchSite = header(
	"Sec-Fetch-Site",
	"`same-origin`, which browsers send by themselves from a page of the service. Without this header the `Origin` must be the `Host`.",
	{ example: "same-origin" },
);

const sessionCookie = {
	name: "petstore",
	in: "cookie",
	description:
		"The session, which signing in has set. Over HTTPS its name is `__Host-petstore`.",
	schema: { type: "string" },
	...addition,
};

const requestId = header(
	"X-Request-Id",
	`A name for this request in the log of the service: 1 to ${maxRequestIdLength} visible ASCII characters, which come back in the reply. Any other value is ignored.`,
);
