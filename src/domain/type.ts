// A type of a value that somebody gives or gets: its JSON Schema, its rule in words, how it is read and written. The same type serves a
// member of a body, a query parameter, a segment of a path, a cell of a file, a flag and an environment variable.
import { type ErrorCode, Failure } from "./errors.ts";
import { maxInt64, minInt64, parseExactly } from "./json.ts";
import { toCountText } from "./quantity.ts";
import { isDay, readTime, timeRule, toTimeText } from "./time.ts";
import { isObject, toUnknown } from "./unknown.ts";

export interface Type<Value = unknown> {
	/** A schema with a `title` becomes a component of the OpenAPI document. */
	readonly schema: Schema;
	/** Of a value that `parseJson` returns. Adds a sentence to `broken` for each broken rule; the result then has no meaning. */
	readonly read: (json: unknown, name: string, broken: string[]) => Value;
	/** What `read` takes, of the text of a parameter, a cell or a flag. */
	readonly fromText: (text: string) => unknown;
	/** As JSON text. A method, so that a `Type<bigint>` is a `Type`. */
	write(value: Value): string;
	/** Whether it may be absent; `fallback` is its value then. */
	readonly isOptional?: boolean;
	readonly fallback?: Value;
	/** A value that a tool may send. Undefined if it should be sent only on purpose. */
	readonly example?: unknown;
}

/** A JSON Schema with the keywords that the interfaces use. */
export interface Schema {
	readonly title?: string;
	/** The description of the component with this title, if this use of it has another. */
	readonly about?: string;
	readonly type?: string | readonly [string, "null"];
	readonly format?: string;
	readonly description?: string;
	readonly default?: unknown;
	readonly const?: unknown;
	readonly enum?: readonly string[];
	readonly oneOf?: readonly Schema[];
	readonly pattern?: string;
	readonly minLength?: number;
	readonly maxLength?: number;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly exclusiveMaximum?: number;
	readonly items?: Schema;
	readonly minItems?: number;
	readonly maxItems?: number;
	readonly uniqueItems?: boolean;
	readonly required?: readonly string[];
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly additionalProperties?: boolean;
	readonly minProperties?: number;
	readonly maxProperties?: number;
}

export type ValueOf<Of> = Of extends Type<infer Value> ? Value : never;
export type Members = Readonly<Record<string, Type>>;
/** A member that may be absent is undefined then. */
export type ValuesOf<Of extends Members> = {
	readonly [Name in keyof Of]: ValueOf<Of[Name]>;
};

/** A type whose values a database stores as they are. Inside, an INTEGER is a bigint and a TEXT a string, on both engines. */
export interface ColumnType<Value extends Stored = Stored, Json = Value>
	extends Type<Value> {
	readonly column: "INTEGER" | "TEXT";
	/** SQL for both engines that is true for each value. */
	readonly toCheck?: (column: string) => string;
	/** What `fromText` takes: for cells, inputs and tables. */
	toText(value: Value): string;
	/** Never set. It carries the type of the JSON value for the compiler. */
	readonly json?: Json;
}

export type Stored = bigint | string;

export function int64(
	description: string,
	minimum = minInt64,
): ColumnType<bigint> {
	const rule = `must be a whole number from ${minimum} to ${maxInt64}`;
	return {
		schema: {
			type: "integer",
			format: "int64",
			description,
			...(minimum > minInt64 && { minimum: Number(minimum) }),
		},
		column: "INTEGER",
		read: (json, name, broken) =>
			typeof json === "bigint" && json >= minimum && json <= maxInt64
				? json
				: refuse(broken, name, rule),
		fromText: fromDigits,
		write: String,
		toText: String,
	};
}

/** From 0. It may exceed int64: JSON has no limit for integers. */
export function natural(description: string): Type<bigint> {
	const rule = "must be a whole number from 0, of at most 40 digits";
	return {
		schema: {
			type: "integer",
			minimum: 0,
			exclusiveMaximum: 1e40,
			description,
		},
		read: (json, name, broken) =>
			typeof json === "bigint" && json >= 0n
				? json
				: refuse(broken, name, rule),
		fromText: fromDigits,
		write: String,
	};
}

export function whole(
	description: string,
	minimum = 0,
	maximum = maxInt32,
): Type<number> {
	const rule = `must be a whole number from ${minimum} to ${maximum}`;
	return {
		schema: {
			type: "integer",
			format: "int32",
			description,
			minimum,
			maximum,
		},
		read: (json, name, broken) =>
			typeof json === "bigint" && json >= minimum && json <= maximum
				? Number(json)
				: refuse(broken, name, rule),
		fromText: fromDigits,
		write: String,
	};
}

const maxInt32 = 2 ** 31 - 1;

/** A number of things or bytes, or an id that is a number: a double is exact enough. */
export function count(description: string, minimum = 0): Type<number> {
	const type = whole(description, minimum, Number.MAX_SAFE_INTEGER);
	const schema = { type: "integer", format: "int64", description, minimum };
	return { ...type, schema };
}

/** A number with or without a fraction, for measures. */
export function decimal(
	description: string,
	minimum: number,
	maximum: number,
): Type<number> {
	const rule = `must be a number from ${minimum} to ${maximum}`;
	return {
		schema: { type: "number", description, minimum, maximum },
		read(json, name, broken) {
			const value = typeof json === "bigint" ? Number(json) : json;
			return typeof value === "number" && value >= minimum && value <= maximum
				? value
				: refuse(broken, name, rule);
		},
		fromText: (text) =>
			/^(0|[1-9]\d{0,14})(\.\d{1,9})?$/.test(text) ? Number(text) : text,
		write: String,
	};
}

/** Text of at most `maxLength` characters (code points), without U+0000, which PostgreSQL refuses, and lone surrogates, which UTF-8 lacks. */
export function text(
	description: string,
	maxLength: number,
): ColumnType<string> {
	const tooLong = `must not have more than ${maxLength} characters`;
	return {
		schema: {
			type: "string",
			// \x00, since Go has no \u0000. Lone surrogates are allowed, since not every dialect can exclude them.
			pattern: "^[^\\x00]*$",
			maxLength,
			description,
		},
		column: "TEXT",
		toCheck: (column) => `length(${column}) <= ${maxLength}`,
		read(json, name, broken) {
			if (typeof json !== "string")
				return refuse(broken, name, "must be a string");
			if (json.includes("\0"))
				return refuse(broken, name, "must not contain the character U+0000");
			if (!json.isWellFormed())
				return refuse(broken, name, "must not contain a lone surrogate");
			// A code point has one or two code units.
			if (json.length > maxLength && [...json].length > maxLength)
				return refuse(broken, name, tooLong);
			return json;
		},
		...asText,
		write: JSON.stringify,
	};
}

/** Text outside, another value inside. `toValue` returns undefined for text that breaks the rule, which follows the name of the value. */
export function parsed<Value>(
	description: string,
	toValue: (text: string) => Value | undefined,
	rule: string,
	toText: (value: Value) => string,
	schema: Schema,
): Type<Value> {
	return {
		schema: { type: "string", ...schema, description },
		read: (json, name, broken) =>
			(typeof json === "string" ? toValue(json) : undefined) ??
			refuse(broken, name, rule),
		fromText: asText.fromText,
		write: (value) => JSON.stringify(toText(value)),
	};
}

/** Text of a form, described by a rule such as `must have 1 to 100 characters`. The schema says of it what a schema can. */
export function formed(
	description: string,
	form: Pick<RegExp, "test">,
	rule: string,
	schema: Schema,
): Type<string> {
	const toValue = (text: string) => (form.test(text) ? text : undefined);
	return parsed(description, toValue, rule, String, schema);
}

/** Any text, for replies and for texts that only their user can judge. */
export function anyText(description: string): Type<string> {
	return formed(description, /^/, "must be a string", {});
}

export function oneOf<const Value extends string>(
	description: string,
	values: readonly Value[],
	title?: string,
): ColumnType<Value> {
	const rule = `must be one of ${values.join(", ")}`;
	const known = new Map<unknown, Value>(values.map((value) => [value, value]));
	return {
		schema: {
			...(title !== undefined && { title }),
			type: "string",
			enum: values,
			description,
		},
		column: "TEXT",
		toCheck: (column) => `${column} IN ('${values.join("', '")}')`,
		read: (json, name, broken) => known.get(json) ?? refuse(broken, name, rule),
		...asText,
	};
}

/** A day without a time, like 2024-02-29. Text in the database too, since PostgreSQL's `date` has other limits than ours. */
export function date(description: string): ColumnType<string> {
	return {
		schema: { type: "string", format: "date", description },
		column: "TEXT",
		toCheck: (column) => `length(${column}) = 10`,
		read: (json, name, broken) =>
			typeof json === "string" && isDay(json)
				? json
				: refuse(broken, name, "must be a date like 2024-02-29"),
		...asText,
	};
}

/** RFC 3339 outside, milliseconds since 1970 inside. */
export function time(description: string): Type<number> {
	const schema = { format: "date-time" };
	return parsed(description, readTime, timeRule, toTimeText, schema);
}

/** The same as a column. */
export function timeColumn(description: string): ColumnType<bigint, string> {
	const { schema, read, fromText } = time(description);
	const toText = (at: bigint) => toTimeText(Number(at));
	return {
		schema,
		column: "INTEGER",
		read(json, name, broken) {
			const known = broken.length;
			const at = read(json, name, broken);
			return broken.length > known ? 0n : BigInt(at);
		},
		fromText,
		write: (at) => `"${toText(at)}"`,
		toText,
	};
}

export function flag(description: string): Type<boolean> {
	return {
		schema: { type: "boolean", description },
		read: (json, name, broken) =>
			typeof json === "boolean"
				? json
				: refuse(broken, name, "must be true or false"),
		fromText: (text) => (/^(true|false)$/.test(text) ? text === "true" : text),
		write: String,
	};
}

/** For a member that is either true or absent. */
export function onlyTrue(description: string): Type<true> {
	return {
		schema: { type: "boolean", const: true, description },
		read: (json, name, broken) =>
			json === true ? json : refuse(broken, name, "must be true"),
		fromText: (text) => text === "true" || text,
		write: String,
	};
}

export function optional<Of extends Type>(type: Of) {
	return { ...type, isOptional: true } as Optional<Of>;
}

type Optional<Of> = Omit<Of, "read" | "write" | "fallback"> &
	Type<ValueOf<Of> | undefined>;

export function withDefault<Value>(type: Type<Value>, fallback: Value) {
	const schema = {
		...type.schema,
		default: typeof fallback === "bigint" ? Number(fallback) : fallback,
	};
	return { ...type, schema, isOptional: true, fallback };
}

/** Of this use of it: a type with a title keeps the description of its component. */
export function withDescription<Of extends Type>(
	type: Of,
	description: string,
): Of {
	const { schema } = type;
	const about = schema.about ?? schema.description;
	return {
		...type,
		schema: {
			...schema,
			...(schema.title !== undefined && about !== undefined && { about }),
			description,
		},
	};
}

/** Makes it a component of the OpenAPI document. */
export function withTitle<Of extends Type>(
	type: Of,
	title: string,
	description: string,
): Of {
	return { ...type, schema: { title, ...type.schema, description } };
}

/** With one more rule. `schema` says of it what a schema can. */
export function withRule<Of extends Type>(
	type: Of,
	holds: (value: ValueOf<Of>) => boolean,
	rule: string,
	schema: Schema = {},
): Of {
	return {
		...type,
		schema: { ...type.schema, ...schema },
		read(json, name, broken) {
			const known = broken.length;
			const value = type.read(json, name, broken) as ValueOf<Of>;
			return broken.length > known || holds(value)
				? value
				: refuse(broken, name || "The body", rule);
		},
	};
}

export function withExample<Of extends Type>(type: Of, example: unknown): Of {
	return { ...type, example };
}

/** A member that null clears. In a text, the empty one does. */
export function nullable<Value>(type: Type<Value>): Type<Value | null> {
	const { schema, read, fromText, write } = type;
	const { title, type: kind, description = "" } = schema;
	return {
		// A schema with a title is a reference, which says nothing of null.
		schema:
			title === undefined
				? { ...schema, type: [String(kind), "null"] }
				: { description, oneOf: [schema, { type: "null" }] },
		read: (json, name, broken) =>
			json === null ? null : readOr("null", read, json, name, broken),
		fromText: (text) => (text === "" ? null : fromText(text)),
		write: (value) => (value === null ? "null" : write(value)),
	};
}

/** A value of either type; `words` name the other one in the rule. */
export function either<One, Other>(
	one: Type<One>,
	other: Type<Other>,
	isOther: (value: unknown) => boolean,
	words: string,
): Type<One | Other> {
	const { description = "", ...schema } = one.schema;
	return {
		schema: { description, oneOf: [schema, other.schema] },
		read: (json, name, broken) =>
			isOther(json)
				? other.read(json, name, broken)
				: readOr(words, one.read, json, name, broken),
		fromText(given) {
			const value = other.fromText(given);
			return isOther(value) ? value : one.fromText(given);
		},
		write: (value) =>
			isOther(value) ? other.write(value as Other) : one.write(value as One),
	};
}

/** Adds the other values that are allowed to the sentence about a broken rule. */
function readOr<Value>(
	words: string,
	read: Type<Value>["read"],
	json: unknown,
	name: string,
	broken: string[],
): Value {
	const own: string[] = [];
	const value = read(json, name, own);
	broken.push(...own.map((one) => `${one.slice(0, -1)}, or ${words}.`));
	return value;
}

export interface ListType<Item> extends Type<readonly Item[]> {
	readonly item: Type<Item>;
}

export function list<Item>(
	item: Type<Item>,
	maximum: number,
	minimum = 0,
): ListType<Item> {
	const rule = `must be a list of ${minimum} to ${toCountText(maximum)} entries`;
	return {
		item,
		schema: {
			type: "array",
			...(minimum > 0 && { minItems: minimum }),
			maxItems: maximum,
			items: item.schema,
		},
		read(json, name, broken) {
			if (
				!Array.isArray(json) ||
				json.length < minimum ||
				json.length > maximum
			)
				return refuse(broken, name, rule);
			const items: Item[] = [];
			const known = broken.length;
			// A long list may have as many broken rules, so it names those of one entry.
			for (const [index, one] of json.entries())
				if (broken.length === known)
					items.push(item.read(one, `${name}[${index}]`, broken));
			return items;
		},
		fromText: (text) => text.split(",").map(item.fromText),
		write: (items) => `[${items.map((one) => item.write(one)).join(",")}]`,
	};
}

export interface ObjectType<Of extends Members> extends Type<ValuesOf<Of>> {
	readonly members: Of;
}

/** Drops unknown members. Without a title, documents have its schema where it is used. */
export function object<const Of extends Members>(
	title: string,
	description: string,
	members: Of,
): ObjectType<Of> {
	const entries = Object.entries<Type>(members);
	// OpenAPI 3.0 allows no empty list.
	const required = entries
		.filter(([, { isOptional }]) => !isOptional)
		.map(([name]) => name);
	return {
		members,
		schema: {
			...(title !== "" && { title }),
			type: "object",
			description,
			...(required.length > 0 && { required }),
			properties: Object.fromEntries(
				entries.map(([name, { schema }]) => [name, schema]),
			),
		},
		read: (json, name, broken) =>
			isObject(json)
				? readMembers(
						members,
						new Map(Object.entries(json)),
						broken,
						name && `${name}.`,
					)
				: refuse(broken, name, "must be a JSON object"),
		fromText: fromJsonText,
		write(value) {
			const written = entries.flatMap(([name, type]) =>
				value[name] === undefined
					? []
					: [`"${name}":${type.write(value[name])}`],
			);
			return `{${written.join(",")}}`;
		},
	};
}

/** For what a caller sends: refuses unknown members, since a misspelt one must not be ignored. */
export function closedObject<const Of extends Members>(
	title: string,
	description: string,
	members: Of,
): ObjectType<Of> {
	const open = object(title, description, members);
	return {
		...open,
		schema: { ...open.schema, additionalProperties: false },
		read(json, name, broken) {
			for (const one of isObject(json) ? Object.keys(json) : [])
				if (!Object.hasOwn(members, one))
					broken.push(toUnknown(one, Object.keys(members), name && `${name}.`));
			return open.read(json, name, broken);
		},
	};
}

/** An object that has exactly one of these members, which says its type. */
export function choice<
	const Of extends Readonly<Record<string, ObjectType<Members>>>,
>(title: string, description: string, types: Of): Type<ValueOf<Of[keyof Of]>> {
	const names = Object.keys(types);
	const typeOf = (value: object) => {
		const [name, ...others] = names.filter((one) => Object.hasOwn(value, one));
		return name === undefined || others.length > 0 ? undefined : types[name];
	};
	return {
		schema: {
			title,
			description,
			oneOf: Object.values(types).map(({ schema }) => schema),
		},
		read(json, name, broken) {
			if (!isObject(json)) return refuse(broken, name, "must be a JSON object");
			const type = typeOf(json);
			return type === undefined
				? refuse(broken, name, `must have either ${names.join(" or ")}`)
				: (type.read(json, name, broken) as ValueOf<Of[keyof Of]>);
		},
		fromText: fromJsonText,
		write: (value) => typeOf(value as object)?.write(value as never) ?? "",
	};
}

/** Reads members by their names, from a body, a query, a path or flags. An undefined member is absent. */
export function readMembers<Of extends Members>(
	members: Of,
	given: ReadonlyMap<string, unknown>,
	broken: string[],
	prefix = "",
): ValuesOf<Of> {
	return Object.fromEntries(
		Object.entries<Type>(members).map(([name, type]) => {
			const json = given.get(name);
			if (json !== undefined)
				return [name, type.read(json, prefix + name, broken)];
			if (!type.isOptional) broken.push(`${prefix}${name} is required.`);
			return [name, type.fallback];
		}),
	) as ValuesOf<Of>;
}

/** Throws with every broken rule. */
export function requireValid(broken: readonly string[], code: ErrorCode): void {
	const [first] = broken;
	if (first === undefined) return;
	/** Of a list. */
	const index = /^\w+\[(\d+)\]/.exec(first)?.[1];
	const members = index === undefined ? {} : { index };
	throw new Failure(code, broken.join(" "), { members });
}

/** Reads one text, for example of a flag. Returns the broken rules instead of throwing. */
export function readText<Value>(
	type: Type<Value>,
	given: string,
	name: string,
): { readonly value: Value; readonly broken: readonly string[] } {
	const broken: string[] = [];
	return { value: type.read(type.fromText(given), name, broken), broken };
}

const numeral = /^(0|-?[1-9]\d{0,39})$/;

function fromDigits(given: string): unknown {
	return numeral.test(given) ? BigInt(given) : given;
}

function fromJsonText(given: string): unknown {
	try {
		return parseExactly(given, maxTextDepth);
	} catch {
		return given;
	}
}

/** A text of JSON, for example of a header or a flag, needs no depth. */
const maxTextDepth = 20;

/** Of values that need no escapes in JSON. */
const asText = {
	fromText: (given: string): unknown => given,
	write: (value: string) => `"${value}"`,
	toText: (value: string) => value,
};

/** The result is never used: whoever reads looks at `broken` first. */
function refuse(broken: string[], name: string, rule: string): never {
	broken.push(`${name || "The body"} ${rule}.`);
	return undefined as never;
}
