// The request of the snippets, made of the examples of an operation.
import type { ShownOperation } from "../reference/chapter.ts";

export interface SnippetRequest {
	readonly operationId: string;
	readonly method: string;
	readonly base: string;
	readonly url: string;
	readonly parameters: ReadonlyMap<string, unknown>;
	/** A value may have marks of variables. */
	readonly headers: readonly (readonly [name: string, value: string])[];
	/** The example of the body. Strings in it may have marks of variables. */
	readonly body: unknown;
	/** The same as JSON text; undefined if the operation has no body. */
	readonly bodyText: string | undefined;
	readonly reply: { readonly kind: ReplyKind; readonly name: string };
	/** An example key. Without one, the snippet reads the environment variable KEY. */
	readonly key: string | undefined;
}

/** The content of a successful reply. */
type ReplyKind = "nothing" | "cookie" | "json" | "text" | "file";

/** The code that reads each kind. It stores a file under the given name. */
export type ReplyReaders = Record<ReplyKind, (name: string) => string>;

export function toSnippetRequest(
	operation: ShownOperation,
	base: string,
	key: string | undefined,
): SnippetRequest {
	const { id, method, scope, path, prefix, parameters } = operation;
	const given = parameters.filter(({ example }) => example !== undefined);
	const url = base + prefix + toTarget(path, given);
	const secret = key ?? toMark("KEY");
	const bodyText = toBodyText(operation.body, secret);
	const headers: [string, string][] = [];
	if (scope !== undefined) headers.push(["Authorization", `Bearer ${secret}`]);
	for (const { place, name, example } of given)
		if (place === "header") headers.push([name, String(example)]);
	if (parameters.some(({ place }) => place === "cookie"))
		headers.push(["Cookie", toMark("COOKIE")]);
	if (bodyText !== undefined)
		headers.push(["Content-Type", "application/json"]);
	return {
		...{ operationId: id, method, base, url, headers, bodyText, key },
		parameters: new Map(given.map(({ name, example }) => [name, example])),
		body: bodyText && JSON.parse(bodyText),
		reply: { kind: toReplyKind(operation), name: url.replace(/^.*\//, "") },
	};
}

/** The first example, with the key of the caller in its secret members. */
function toBodyText(
	body: ShownOperation["body"],
	secret: string,
): string | undefined {
	const secrets = body?.shape.members
		.filter(({ shape }) => shape.type === "password")
		.map(({ name }) => name);
	return JSON.stringify(body?.examples[0], (name, value) =>
		secrets?.includes(name) ? secret : value,
	);
}

function toReplyKind({ replies }: ShownOperation): ReplyKind {
	const success = replies.find(({ status }) => /^2/.test(status));
	const { body, headers = [] } = success ?? {};
	if (headers.some(([name]) => name === "Set-Cookie")) return "cookie";
	if (body === undefined) return "nothing";
	if (body.mediaType === "application/json") return "json";
	return body.shape.type === "binary" ? "file" : "text";
}

function toTarget(path: string, given: ShownOperation["parameters"]): string {
	const encode = (value: unknown) => encodeURIComponent(String(value));
	const query: string[] = [];
	let filled = path;
	for (const { place, name, example } of given)
		if (place === "path") filled = filled.replace(`{${name}}`, encode(example));
		else if (place === "query") query.push(`${name}=${encode(example)}`);
	return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
}

/** Marks an environment variable in a text, until a language replaces the mark. No example has these private-use characters. */
function toMark(variable: "KEY" | "COOKIE"): string {
	return `\ue000${variable}\ue001`;
}

const mark = /\ue000(\w+)\ue001/;

/** The text as an expression of strings and variables in the style of a language, without empty strings. */
export function toExpression(
	text: string,
	style: {
		quote: (text: string) => string;
		variable: (name: string) => string;
		join: string;
	},
): string {
	const parts = text
		.split(mark)
		.map((part, index) => ({ part, isVariable: index % 2 === 1 }))
		.filter(({ part }) => part !== "")
		.map(({ part, isVariable }) =>
			isVariable ? style.variable(part) : style.quote(part),
		);
	return parts.length === 0 ? style.quote("") : parts.join(style.join);
}
