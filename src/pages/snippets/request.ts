// The request that the snippets of an operation send: made of the examples in the OpenAPI document.
import type { Body, Operation } from "../openapi/operations.ts";
import { toJsonText } from "../openapi/values.ts";
import { toMark } from "./variables.ts";

export interface SnippetRequest {
	readonly operationId: string;
	readonly method: string;
	/** The address of the service. */
	readonly base: string;
	readonly url: string;
	/** The examples of the parameters, by name. */
	readonly parameters: ReadonlyMap<string, unknown>;
	/** Names and values. A value may have marks of variables. */
	readonly headers: readonly (readonly [name: string, value: string])[];
	/** The example of the body, its integers as bigints. Strings in it may have marks of variables. */
	readonly body: unknown;
	/** The same as JSON text; undefined if the operation has no body. */
	readonly bodyText: string | undefined;
	readonly reply: SnippetReply;
	/** A key that may stand in the snippet. Without one, the snippet reads the environment variable KEY. */
	readonly key: string | undefined;
}

/** What a successful reply has for the caller. A file is to be stored under that name. */
export type SnippetReply =
	| { readonly kind: "nothing" | "cookie" | "json" | "text" }
	| { readonly kind: "file"; readonly name: string };

export function toSnippetRequest(
	operation: Operation,
	options: { base: string; prefix: string; key: string | undefined },
): SnippetRequest {
	const { base, prefix, key } = options;
	const given = operation.parameters.filter(
		({ example }) => example !== undefined,
	);
	const url = base + prefix + toTarget(operation.path, given);
	const secret = key ?? toMark("KEY");
	const body = toBody(operation.body, secret);
	return {
		operationId: operation.id,
		method: operation.method,
		base,
		url,
		parameters: new Map(given.map(({ name, example }) => [name, example])),
		headers: [
			...(operation.needsKey
				? [["Authorization", `Bearer ${secret}`] as const]
				: []),
			...given
				.filter(({ place }) => place === "header")
				.map(({ name, example }) => [name, String(example)] as const),
			...(operation.parameters.some(({ place }) => place === "cookie")
				? [["Cookie", toMark("COOKIE")] as const]
				: []),
			...(body === undefined
				? []
				: [["Content-Type", "application/json"] as const]),
		],
		body,
		bodyText: body === undefined ? undefined : toJsonText(body),
		reply: toReply(operation, url),
		key,
	};
}

/** The first example. A member that is a secret is the key of the caller. */
function toBody(body: Body | undefined, secret: string): unknown {
	const example = body?.examples[0];
	const secrets = body?.shape.members.filter(
		({ shape }) => shape.type === "password",
	);
	if (secrets === undefined || secrets.length === 0) return example;
	const isSecret = (name: string) => secrets.some((one) => one.name === name);
	return Object.fromEntries(
		Object.entries(Object(example)).map(([name, value]) => [
			name,
			isSecret(name) ? secret : value,
		]),
	);
}

function toReply({ replies }: Operation, url: string): SnippetReply {
	const success = replies.find(({ status }) => /^2/.test(status));
	const { body, headers = [] } = success ?? {};
	if (headers.some(({ name }) => name === "Set-Cookie"))
		return { kind: "cookie" };
	if (body === undefined) return { kind: "nothing" };
	if (body.mediaType === "application/json") return { kind: "json" };
	return body.shape.type === "binary"
		? { kind: "file", name: url.replace(/^.*\//, "") }
		: { kind: "text" };
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
