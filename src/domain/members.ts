// Reads the members of a JSON object that a caller sends. An error names the member and the rule that it broke.
import { type ErrorCode, Failure } from "./errors.ts";

/** Whether it is an object of JSON; an array is not. */
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
	/** For an error about this member, or about all of them. */
	readonly invalid: (name: string | undefined, rule: string) => Failure;
}

/** Takes what `parseJson` returns. Refuses all but an object that has only members with these names. */
export function toMembers(
	value: unknown,
	names: readonly string[],
	/** Where the object is in the body. */
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
				`has an unknown member; known are ${names.join(", ")}`,
			);
		throw invalid(name, toUnknown(name, names));
	}
	return {
		has: (name) => members.has(name),
		get: (name) => members.get(name),
		invalid,
	};
}

/** The rule that an unknown name breaks, with the known name that it is near to, or all of them. */
export function toUnknown(name: string, names: readonly string[]): string {
	const near = names.find((one) => isNear(one, name));
	return `is unknown; ${near === undefined ? `known are ${names.join(", ")}` : `did you mean ${near}?`}`;
}

/** Whether it begins like the known name, or contains it, without regard to case. */
function isNear(known: string, name: string): boolean {
	const [one, other] = [known.toLowerCase(), name.toLowerCase()];
	return other.startsWith(one.slice(0, 3)) || other.includes(one);
}

/** Any other name may be a key that is in the wrong place, and an error has no part of a key. */
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
	const range =
		maximum === Number.MAX_SAFE_INTEGER
			? `, ${minimum} or more`
			: ` from ${minimum} to ${maximum}`;
	throw invalid(name, `must be ${or}a whole number${range}`);
}
