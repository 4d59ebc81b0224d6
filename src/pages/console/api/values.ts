// Gives what a reply has sent its type. Each function throws an Error that names the member and what it must be.

export type Members = Partial<Record<string, unknown>>;

export function toMembers(value: unknown, name = "the reply"): Members {
	if (typeof value === "object" && value !== null) return { ...value };
	throw new Error(`${name} is not an object`);
}

export function toList<Item>(
	value: unknown,
	name: string,
	toItem: (value: unknown) => Item,
): readonly Item[] {
	if (Array.isArray(value)) return value.map(toItem);
	throw new Error(`${name} is not an array`);
}

export function toText(value: unknown, name: string): string {
	if (typeof value === "string") return value;
	throw new Error(`${name} is not a string`);
}

/** A number that is counted or measured, so that a double is exact enough for it. */
export function toNumber(value: unknown, name: string): number {
	if (typeof value === "bigint" || typeof value === "number")
		return Number(value);
	throw new Error(`${name} is not a number`);
}

/** Milliseconds since 1970 of an RFC 3339 time or date. */
export function toTime(value: unknown, name: string): number {
	const time = Date.parse(toText(value, name));
	if (!Number.isNaN(time)) return time;
	throw new Error(`${name} is not a time`);
}

export function optional<Value>(
	value: unknown,
	name: string,
	convert: (value: unknown, name: string) => Value,
): Value | undefined {
	return value === undefined ? undefined : convert(value, name);
}
