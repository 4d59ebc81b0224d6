// The request that the snippets of an operation send: made of the examples in the OpenAPI document.
import type { Operation } from "../openapi/operations.ts";
import { toJsonText } from "../openapi/values.ts";

export interface SnippetRequest {
	readonly operationId: string;
	readonly method: string;
	/** The address of the service. */
	readonly base: string;
	readonly url: string;
	/** The examples of the parameters, by name. */
	readonly parameters: ReadonlyMap<string, unknown>;
	/** The example of the body, its integers as bigints. */
	readonly body: unknown;
	/** The same as JSON text; undefined if the operation has no body. */
	readonly bodyText: string | undefined;
	/** Whether a successful reply has a body. */
	readonly hasReplyBody: boolean;
	/** A key that may stand in the snippet. Without one, the snippet reads the environment variable KEY. */
	readonly key: string | undefined;
}

export function toSnippetRequest(
	operation: Operation,
	options: { base: string; prefix: string; key: string | undefined },
): SnippetRequest {
	const { base, prefix, key } = options;
	const body = operation.body?.examples[0];
	const given = operation.parameters.filter(
		({ example, place }) => example !== undefined && place !== "header",
	);
	const success = operation.replies.find(({ status }) => /^2/.test(status));
	return {
		operationId: operation.id,
		method: operation.method,
		base,
		url: base + prefix + toTarget(operation.path, given),
		parameters: new Map(given.map(({ name, example }) => [name, example])),
		body,
		bodyText: body === undefined ? undefined : toJsonText(body),
		hasReplyBody: success?.body !== undefined,
		key,
	};
}

function toTarget(path: string, given: Operation["parameters"]): string {
	const encode = (value: unknown) => encodeURIComponent(String(value));
	const filled = given
		.filter(({ place }) => place === "path")
		.reduce(
			(text, { name, example }) => text.replace(`{${name}}`, encode(example)),
			path,
		);
	const query = given
		.filter(({ place }) => place === "query")
		.map(({ name, example }) => `${name}=${encode(example)}`)
		.join("&");
	return query === "" ? filled : `${filled}?${query}`;
}
