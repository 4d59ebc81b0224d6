// Names that somebody gave and that are not known.

/** A JSON object; not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The sentence about an unknown name. It repeats no text that may be an API key in the wrong place. */
export function toUnknown(
	name: string,
	names: readonly string[],
	prefix = "",
): string {
	const shown = /^[\w-]{1,24}$/.test(name) ? name : "A name";
	return `${prefix}${shown} is unknown; the known ones are ${names.join(", ")}.`;
}
