// Reads the members of a JSON object from a caller. An error names the member and the broken rule.
import { type ErrorCode, Failure } from "./errors.ts";

/** A JSON object; not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON Schema of an object whose unknown members are refused. */
export interface ClosedSchema {
	readonly properties: Readonly<Record<string, object>>;
	readonly additionalProperties: false;
}

export function namesIn(
	...schemas: readonly ClosedSchema[]
): readonly string[] {
	return Object.keys(
		Object.assign({}, ...schemas.map(({ properties }) => properties)),
	);
}

export interface Members {
	readonly has: (name: string) => boolean;
	readonly get: (name: string) => unknown;
	/** Makes an error about one member, or about the whole object. */
	readonly invalid: (name: string | undefined, rule: string) => Failure;
}

/** Takes the result of `parseJson`. Refuses everything but an object with only these members. */
export function toMembers(
	value: unknown,
	names: readonly string[],
	/** The path of the object in the body. */
	prefix = "",
	code: ErrorCode = "invalid_body",
): Members {
	function invalid(name: string | undefined, rule: string): Failure {
		const subject = [prefix, name].filter(Boolean).join(".");
		const end = rule.endsWith("?") ? "" : ".";
		return new Failure(code, `${subject || "The body"} ${rule}${end}`);
	}

	if (!isObject(value)) throw invalid(undefined, "must be a JSON object");
	const members = new Map<string, unknown>(Object.entries(value));
	for (const name of members.keys()) {
		if (names.includes(name)) continue;
		if (!shownName.test(name))
			throw invalid(
				undefined,
				`has an unknown member; the known ones are ${names.join(", ")}`,
			);
		throw invalid(name, toUnknown(name, names));
	}
	return {
		has: (name) => members.has(name),
		get: (name) => members.get(name),
		invalid,
	};
}

/** The error for an unknown name: it suggests a similar name, or lists all. */
export function toUnknown(name: string, names: readonly string[]): string {
	const near = names.find((one) => isNear(one, name));
	return `is unknown; ${near === undefined ? `the known ones are ${names.join(", ")}` : `did you mean ${near}?`}`;
}

/** Whether it begins like the known name or contains it, ignoring case. */
function isNear(known: string, name: string): boolean {
	const [one, other] = [known.toLowerCase(), name.toLowerCase()];
	return other.startsWith(one.slice(0, 3)) || other.includes(one);
}

/** An error repeats no other names: one may be an API key in the wrong place. */
const shownName = /^[\w-]{1,24}$/;

export function readWhole(
	{ get, invalid }: Members,
	name: string,
	minimum: number,
	maximum: number,
	or = "",
): number {
	const value = get(name);
	if (typeof value === "bigint" && value >= minimum && value <= maximum)
		return Number(value);
	throw invalid(
		name,
		`must be ${or}a whole number from ${minimum} to ${maximum}`,
	);
}

/** `Type` if it has only these members, else `never`. A function that takes it no longer compiles when a member is added. */
export type Only<Type, Members extends keyof Type> =
	Exclude<keyof Type, Members> extends never ? Type : never;
