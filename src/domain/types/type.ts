// A type of a value that somebody gives or gets: its JSON Schema, its rule in words, how it is read and written. The same type serves a
// member of a body, a query parameter, a segment of a path, a cell of a file, a flag and an environment variable.
import { type ErrorCode, Failure } from "../errors.ts";

export interface Type<Value = unknown> {
	/** A schema with a `title` becomes a component of the OpenAPI document. */
	readonly schema: Schema;
	/** Of a value that `parseJson` returns. Adds a sentence to `broken` for each broken rule; the result then has no meaning. */
	readonly read: (json: unknown, name: string, broken: string[]) => Value;
	/** What `read` takes, of the text of a parameter, a cell or a flag. */
	readonly fromText: (text: string) => unknown;
	/** As JSON text. A method, so that a `Type<bigint>` is a `Type`. */
	write(value: Value): string;
	/** As people read it, if not as its JSON. */
	toText?(value: Value): string;
	/** Whether it may be absent; `fallback` is its value then. */
	readonly isOptional?: boolean;
	readonly fallback?: Value;
	/** Whether tables of commands have no column for it. */
	readonly isUnlisted?: true;
}

/** A JSON Schema with the keywords that the interfaces use. */
export interface Schema {
	readonly title?: string;
	/** The description of the component with this title, if this use of it has another. */
	readonly about?: string;
	/** Of this use of it. A parameter without one should be sent only on purpose. */
	readonly example?: unknown;
	readonly type?: string | readonly [string, "null"];
	readonly format?: string;
	readonly description?: string;
	readonly default?: unknown;
	readonly const?: unknown;
	readonly enum?: readonly string[];
	readonly oneOf?: readonly Schema[];
	readonly not?: Schema;
	readonly pattern?: string;
	readonly minLength?: number;
	readonly maxLength?: number;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly exclusiveMaximum?: number;
	readonly items?: Schema;
	readonly minItems?: number;
	readonly maxItems?: number;
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

/** What a client gets of a value: JSON with exact whole numbers. A member that may be absent is undefined then. */
export type JsonOf<Of> = Of extends { readonly json?: infer Json }
	? Json
	: Of extends { readonly members: infer All }
		? {
				readonly [Name in keyof All]:
					| JsonOf<All[Name]>
					| Extract<ValueOf<All[Name]>, undefined>;
			}
		: Of extends { readonly item: infer Item }
			? readonly JsonOf<Item>[]
			: Exact<ValueOf<Of>>;

type Exact<Value> = Value extends number
	? bigint
	: Value extends object
		? { readonly [Name in keyof Value]: Exact<Value[Name]> }
		: Value;

/** A type whose JSON is not its value. The member is never set: it carries the type of the JSON for the compiler. */
export type As<Of extends Type, Json> = Of & { readonly json?: Json };

/** A type whose values a database stores as they are. Inside, an INTEGER is a bigint and a TEXT a string, on both engines. */
export interface ColumnType<Value extends Stored = Stored> extends Type<Value> {
	readonly column: "INTEGER" | "TEXT";
	/** SQL for both engines that is true for each value. */
	readonly toCheck?: (column: string) => string;
	/** What `fromText` takes: for cells, inputs and tables. */
	toText(value: Value): string;
}

export type Stored = bigint | string;

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

export function unlisted<Of extends Type>(type: Of): Of {
	return { ...type, isUnlisted: true };
}

export function withExample<Of extends Type>(type: Of, example: unknown): Of {
	return { ...type, schema: { ...type.schema, example } };
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

/** Reads members by name, from a body, a query, a path or flags. An undefined member is absent; without a fallback the result lacks it. */
export function readMembers<Of extends Members>(
	members: Of,
	given: ReadonlyMap<string, unknown>,
	broken: string[],
	prefix = "",
): ValuesOf<Of> {
	const values: Record<string, unknown> = {};
	for (const [name, type] of Object.entries<Type>(members)) {
		const json = given.get(name);
		if (json !== undefined)
			values[name] = type.read(json, prefix + name, broken);
		else if (type.fallback !== undefined) values[name] = type.fallback;
		else if (!type.isOptional) broken.push(`${prefix}${name} is required.`);
	}
	return values as ValuesOf<Of>;
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

/** Returns a value for the compiler alone: whoever reads looks at `broken` first. */
export function refuse<Value>(
	broken: string[],
	name: string,
	rule: string,
): Value {
	broken.push(`${name || "The body"} ${rule}.`);
	return undefined as Value;
}
