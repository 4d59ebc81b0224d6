// Checks of objects that callers in JavaScript give: the compiler finds a missing object, or an option that does not exist, in TypeScript only.

/** Throws a TypeError unless it is an object that has no members but these: a misspelt option must not be left out silently. */
export function requireKnown(
	given: unknown,
	names: readonly string[],
	rule = "options must be an object.",
): void {
	requireObject(given, rule);
	for (const name of Object.keys(given)) {
		if (names.includes(name)) continue;
		const near = names.find((known) => isNear(known, name));
		throw new TypeError(
			`unknown option ${name}; ${near ? `did you mean ${near}?` : `known are ${names.join(", ")}.`}`,
		);
	}
}

export function requireObject(
	given: unknown,
	rule: string,
): asserts given is object {
	if (typeof given !== "object" || given === null) throw new TypeError(rule);
}

/** Whether it begins like the known name, or contains it, without regard to case. */
function isNear(known: string, name: string): boolean {
	return new RegExp(`^${known.slice(0, 2)}|${known}`, "i").test(name);
}
