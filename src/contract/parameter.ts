// A query parameter: how the contract describes it, and how its text becomes a value.
import { Failure } from "./errors.ts";
import { maxInt64, minInt64 } from "./json.ts";
import { int32, int64, type Schema } from "./schemas.ts";

export interface Parameter<T> {
	readonly name: string;
	readonly description: string;
	readonly schema: Schema;
	/** A value that a tool may send. A parameter that should be sent only on purpose has none. */
	readonly example?: unknown;
	/** Not in the interface document. */
	readonly addition: boolean;
	/** Text to value; undefined stands for a parameter that is absent. */
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

export function integer(options: {
	name: string;
	description: string;
	minimum: number;
	maximum: number;
	default: number;
	example: number;
}): Parameter<number> {
	const { name, description, minimum, maximum, example } = options;
	return {
		name,
		description,
		schema: {
			...int32,
			...{ minimum, maximum, default: options.default },
		},
		example,
		addition: false,
		read(text) {
			if (text === undefined) return options.default;
			const value = /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : Number.NaN;
			if (value >= minimum && value <= maximum) return value;
			throw invalid(
				name,
				`must be a plain whole number from ${minimum} to ${maximum}`,
			);
		},
	};
}

/** A whole number of 64 bits; undefined if absent. */
export function wholeInt64(options: {
	name: string;
	description: string;
	example?: number;
}): Parameter<bigint | undefined> {
	const { name } = options;
	return {
		...options,
		schema: int64,
		addition: false,
		read(text) {
			if (text === undefined) return undefined;
			const value = /^(0|-?[1-9][0-9]{0,18})$/.test(text)
				? BigInt(text)
				: undefined;
			if (value !== undefined && value >= minInt64 && value <= maxInt64)
				return value;
			throw invalid(
				name,
				`must be a plain whole number from ${minInt64} to ${maxInt64}`,
			);
		},
	};
}

/** A position in the feed of changes: a whole number from 0, which may be above int64. */
export function position(options: {
	name: string;
	description: string;
	example?: number;
}): Parameter<bigint> {
	return {
		...options,
		schema: { ...feedPosition, default: 0 },
		addition: false,
		read: (text = "0") => toPosition(options.name, text),
	};
}

/** JSON has no limit for integers. 40 digits at most. */
export const feedPosition = {
	type: "integer",
	minimum: 0,
	exclusiveMaximum: 1e40,
} as const;

const positionForm = /^(0|[1-9][0-9]{0,39})$/;

export function toPosition(name: string, text: string): bigint {
	if (positionForm.test(text)) return BigInt(text);
	throw invalid(
		name,
		"must be a plain whole number from 0, of at most 40 digits",
	);
}

export function oneOf<Value extends string>(options: {
	name: string;
	description: string;
	values: readonly Value[];
	schema: Schema;
	example: Value;
}): Parameter<Value | undefined> {
	const { name, description, values, schema, example } = options;
	return {
		name,
		description,
		schema,
		example,
		addition: false,
		read(text) {
			if (text === undefined) return undefined;
			const value = values.find((allowed) => allowed === text);
			if (value !== undefined) return value;
			throw invalid(name, `must be one of ${values.join(", ")}`);
		},
	};
}

export function text(options: {
	name: string;
	description: string;
	/** For readers of the document; `read` does not check it. */
	pattern?: string;
	addition: boolean;
}): Parameter<string | undefined> {
	const { pattern, ...described } = options;
	return {
		...described,
		schema: { type: "string", ...(pattern !== undefined && { pattern }) },
		read: (text) => text,
	};
}

/** What an Idempotency-Key and PETSTORE_API_KEY look like. */
export const visibleAscii = /^[!-~]{1,255}$/;

/** An X-Request-Id is this many visible ASCII characters at most. */
export const maxRequestIdLength = 128;

export function invalid(name: string, rule: string): Failure {
	return new Failure("invalid_parameter", `${name} ${rule}.`);
}

function textsOf(query: string, name: string): string[] {
	return query
		.split("&")
		.map(splitPair)
		.filter(([key]) => decoded(key) === name)
		.map(([, value]) => {
			const text = decoded(value);
			if (text !== undefined) return text;
			throw invalid(name, "must be percent-encoded UTF-8");
		});
}

function splitPair(pair: string): [key: string, value: string] {
	const equals = pair.indexOf("=");
	return equals < 0
		? [pair, ""]
		: [pair.slice(0, equals), pair.slice(equals + 1)];
}

function decoded(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
