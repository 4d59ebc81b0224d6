// A query parameter: how the contract describes it, and how its text becomes a value.
import { Failure } from "../domain/errors.ts";
import { maxInt64, minInt64 } from "../domain/json.ts";
import { readTime, timeRule } from "../domain/time.ts";
import { int32, int64, maxPageSize, type Schema } from "./schemas.ts";

export interface Parameter<T> {
	readonly name: string;
	readonly description: string;
	readonly schema: Schema;
	/** A value that a tool may send. Undefined if it should be sent only on purpose. */
	readonly example?: unknown;
	/** Not in the interface document. */
	readonly addition?: boolean;
	/** Reads the text; undefined if the parameter is absent. */
	readonly read: (text: string | undefined) => T;
}

/** Reads one parameter from a query string without its question mark. */
export function readParameter<T>(query: string, parameter: Parameter<T>): T {
	if (query === "") return parameter.read(undefined);
	const [text, another] = textsOf(query, parameter.name);
	if (another !== undefined)
		throw invalid(parameter.name, "must not be given more than once");
	return parameter.read(text);
}

/** The texts of known parameters. Ignores unknown ones. */
export function readTexts(
	query: string,
	names: readonly string[],
): ReadonlyMap<string, string> {
	const texts = new Map<string, string>();
	for (const name of query === "" ? [] : names) {
		const [text, another] = textsOf(query, name);
		if (another !== undefined)
			throw invalid(name, "must not be given more than once");
		if (text !== undefined) texts.set(name, text);
	}
	return texts;
}

type Described = Pick<
	Parameter<unknown>,
	"name" | "description" | "schema" | "example"
>;

/** An optional parameter. `toValue` returns undefined for a text that breaks the rule. */
export function parameter<Value>(
	described: Described,
	rule: string,
	toValue: (text: string) => Value | undefined,
): Parameter<Value | undefined> {
	return {
		...described,
		read(text) {
			if (text === undefined) return undefined;
			const value = toValue(text);
			if (value !== undefined) return value;
			throw invalid(described.name, rule);
		},
	};
}

export function withDefault<Value>(
	given: Parameter<Value | undefined>,
	value: Value,
): Parameter<Value> {
	const schema = { ...given.schema, default: value };
	return { ...given, schema, read: (text) => given.read(text) ?? value };
}

export function whole(
	name: string,
	description: string,
	[minimum, maximum]: readonly [number, number],
): Parameter<number | undefined> {
	return parameter(
		{ name, description, schema: { ...int32, minimum, maximum } },
		`must be a plain whole number from ${minimum} to ${maximum}`,
		(text) => {
			const number = /^(0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : -1;
			return number >= minimum && number <= maximum ? number : undefined;
		},
	);
}

/** How many entries a reply may have. */
export function limitOf(
	description: string,
	{ maximum = maxPageSize, value = 20, example = 20 } = {},
): Parameter<number> {
	const given = whole("limit", description, [1, maximum]);
	return withDefault({ ...given, example }, value);
}

/** An RFC 3339 time, read as milliseconds since 1970. */
export function instant(described: Omit<Described, "schema">) {
	const schema = { type: "string", format: "date-time" };
	return parameter({ ...described, schema }, timeRule, readTime);
}

/** `true` or `false`; false if absent. */
export function flag(name: string, description: string): Parameter<boolean> {
	const given = parameter(
		{ name, description, schema: { type: "boolean" } },
		"must be true or false",
		(text) => (/^(true|false)$/.test(text) ? text === "true" : undefined),
	);
	return withDefault(given, false);
}

export function wholeInt64(
	name: string,
	description: string,
): Parameter<bigint | undefined> {
	return parameter(
		{ name, description, schema: int64 },
		`must be a plain whole number from ${minInt64} to ${maxInt64}`,
		(text) => {
			if (!/^(0|-?[1-9][0-9]{0,18})$/.test(text)) return undefined;
			const value = BigInt(text);
			return value >= minInt64 && value <= maxInt64 ? value : undefined;
		},
	);
}

export function oneOf<Value extends string>({
	values,
	schema = { type: "string", enum: values },
	...described
}: Omit<Described, "schema"> & {
	readonly values: readonly Value[];
	readonly schema?: Schema;
}): Parameter<Value | undefined> {
	return parameter(
		{ ...described, schema },
		`must be one of ${values.join(", ")}`,
		(text) => values.find((allowed) => allowed === text),
	);
}

export function text(options: {
	name: string;
	description: string;
	/** For the document only; `read` does not check it. */
	pattern?: string;
	addition?: boolean;
}): Parameter<string | undefined> {
	const { pattern, ...described } = options;
	return {
		...described,
		schema: { type: "string", ...(pattern !== undefined && { pattern }) },
		read: (text) => text,
	};
}

/** The form of an X-Request-Id. */
export const requestId = /^[\w.-]{1,64}$/;

export function invalid(name: string, rule: string): Failure {
	const end = rule.endsWith("?") ? "" : ".";
	return new Failure("invalid_parameter", `${name} ${rule}${end}`);
}

function textsOf(query: string, name: string): string[] {
	const texts: string[] = [];
	for (const pair of query.split("&")) {
		const end = pair.indexOf("=");
		const key = end === -1 ? pair : pair.slice(0, end);
		if (decoded(key) !== name) continue;
		const text = end === -1 ? "" : decoded(pair.slice(end + 1));
		if (text === undefined)
			throw invalid(name, "must be percent-encoded UTF-8");
		texts.push(text);
	}
	return texts;
}

function decoded(text: string): string | undefined {
	if (!text.includes("%")) return text;
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
