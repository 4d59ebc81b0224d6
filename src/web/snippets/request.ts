// The request of the snippets, made of the filled-in form of an operation. The service and the script of the page both make it.

/** The form as a reader has filled it in; at first with examples. */
export interface Filled {
	readonly operationId: string;
	readonly method: string;
	/** With the prefix of the interface; `{name}` stands for a value. */
	readonly path: string;
	readonly needsKey: boolean;
	/** Without empty fields. */
	readonly values: readonly Value[];
	readonly bodyText: string | undefined;
	/** Its media type. */
	readonly bodyType: string;
	/** The members of the body that hold the caller's key. */
	readonly secrets: readonly string[];
	readonly reply: ReplyKind;
}

export interface Value {
	/** `path`, `query`, `header` or `cookie`; `fixed` for a header that browsers set themselves. */
	readonly place: string;
	readonly name: string;
	readonly value: string;
}

export interface SnippetRequest extends Omit<Filled, "path" | "secrets"> {
	readonly base: string;
	readonly url: string;
	/** A value may have marks of variables, and so may strings in the body. */
	readonly headers: readonly (readonly [name: string, value: string])[];
	/** Without one, the snippet reads the environment variable KEY. */
	readonly key: string | undefined;
	/** Where a file is stored. */
	readonly fileName: string;
}

/** The content of a successful reply. */
export const replyKinds = [
	"nothing",
	"cookie",
	"json",
	"text",
	"file",
] as const;
export type ReplyKind = (typeof replyKinds)[number];

/** The code that reads each kind. It stores a file under the given name. */
export type ReplyReaders = Record<ReplyKind, (fileName: string) => string>;

export function toSnippetRequest(
	filled: Filled,
	base: string,
	key: string | undefined,
): SnippetRequest {
	const { values, needsKey } = filled;
	const url = base + toTarget(filled);
	const secret = key ?? toMark("KEY");
	const bodyText = toCompact(filled, secret);
	const headers: [string, string][] = [];
	if (needsKey) headers.push(["Authorization", `Bearer ${secret}`]);
	for (const { place, name, value } of values)
		if (place === "header" || place === "fixed") headers.push([name, value]);
	if (values.some(({ place }) => place === "cookie"))
		headers.push(["Cookie", toMark("COOKIE")]);
	if (bodyText !== undefined) headers.push(["Content-Type", filled.bodyType]);
	const fileName = url.replace(/^.*\//, "");
	return { ...filled, base, url, headers, bodyText, key, fileName };
}

/** The path with its values, and the query. */
export function toTarget({ path, values }: Filled): string {
	// Not URLSearchParams: its `+` for a space is a plus sign for the service.
	const query = values
		.filter(({ place }) => place === "query")
		.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
	const filled = path.replace(/\{(\w+)\}/g, (_, segment) =>
		encodeURIComponent(
			values.find(({ name }) => name === segment)?.value ?? "",
		),
	);
	return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
}

/** Removes space between values. Does not parse the JSON, which would round an int64. */
function toCompact(
	{ bodyText, bodyType, secrets }: Filled,
	secret: string,
): string | undefined {
	if (bodyType !== "application/json") return bodyText;
	const compact = bodyText?.replace(
		new RegExp(`(${jsonString})|\\s+`, "g"),
		(_, string = "") => string,
	);
	if (secrets.length === 0) return compact;
	const members = `("(?:${secrets.join("|")})":)${jsonString}`;
	return compact?.replace(
		new RegExp(members, "g"),
		(_, name) => name + JSON.stringify(secret),
	);
}

export const jsonString = String.raw`"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`;

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
