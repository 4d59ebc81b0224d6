// Names that somebody gave and that are not known.

/** A JSON object; not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The sentence about an unknown name: it suggests a similar name, or lists all. */
export function toUnknown(
	name: string,
	names: readonly string[],
	prefix = "",
): string {
	const known = `the known ones are ${names.join(", ")}`;
	if (!shownName.test(name))
		return `${prefix ? `${prefix.slice(0, -1)} has` : "There is"} an unknown member; ${known}.`;
	const near = names.find((one) => isNear(one, name));
	return `${prefix}${name} is unknown; ${near === undefined ? `${known}.` : `did you mean ${near}?`}`;
}

/** A sentence repeats no other names: one may be an API key in the wrong place. */
const shownName = /^[\w-]{1,24}$/;

/** Whether it begins like the known name or contains it, ignoring case. */
function isNear(known: string, name: string): boolean {
	const [one, other] = [known.toLowerCase(), name.toLowerCase()];
	return other.startsWith(one.slice(0, 3)) || other.includes(one);
}
