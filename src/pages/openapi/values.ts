// Reads values out of parsed JSON, by their paths. What is not there, or is of another type, counts as empty.

export type Json = Readonly<Record<string, unknown>>;

export function recordAt(value: unknown, ...path: readonly string[]): Json {
	const found = valueAt(value, path);
	return isRecord(found) ? found : {};
}

export function listAt(
	value: unknown,
	...path: readonly string[]
): readonly unknown[] {
	const found = valueAt(value, path);
	return Array.isArray(found) ? found : [];
}

export function textAt(value: unknown, ...path: readonly string[]): string {
	const found = valueAt(value, path);
	return typeof found === "string" ? found : "";
}

export function textsAt(
	value: unknown,
	...path: readonly string[]
): readonly string[] {
	return listAt(value, ...path).filter((one) => typeof one === "string");
}

/** What a local `$ref` names, or the value itself. */
export function follow(document: unknown, value: unknown): Json {
	const reference = textAt(value, "$ref");
	return reference.startsWith("#/")
		? recordAt(document, ...reference.slice(2).split("/"))
		: recordAt(value);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
	return path.reduce(
		(found: unknown, name) => (isRecord(found) ? found[name] : undefined),
		value,
	);
}

function isRecord(value: unknown): value is Json {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON text of a value from `parseExactly`, whose integers are bigints. With an indent it has lines. */
export function toJsonText(value: unknown, indent = "", line = "\n"): string {
	const inner = line + indent;
	const [separator, open, close] =
		indent === "" ? [",", "", ""] : [`,${inner}`, inner, line];
	const toText = (one: unknown) => toJsonText(one, indent, inner);
	if (typeof value === "bigint") return String(value);
	if (Array.isArray(value))
		return value.length === 0
			? "[]"
			: `[${open}${value.map(toText).join(separator)}${close}]`;
	if (!isRecord(value)) return JSON.stringify(value);
	const colon = indent === "" ? ":" : ": ";
	const members = Object.entries(value).map(
		([name, one]) => JSON.stringify(name) + colon + toText(one),
	);
	return `{${open}${members.join(separator)}${close}}`;
}
