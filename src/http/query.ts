// Reads the query of a request by the types of its parameters.
import { type Members, readMembers, type ValuesOf } from "../domain/type.ts";

/** Ignores unknown parameters. Adds a sentence to `broken` for each broken rule. */
export function readQuery<Of extends Members>(
	query: string,
	members: Of,
	broken: string[],
): ValuesOf<Of> {
	const given = new Map<string, unknown>();
	for (const pair of query === "" ? [] : query.split("&")) {
		const [key = "", ...rest] = pair.split("=");
		const name = decode(key) ?? "";
		const type = Object.hasOwn(members, name) ? members[name] : undefined;
		if (type === undefined) continue;
		const text = decode(rest.join("="));
		if (text === undefined)
			broken.push(`${name} must be percent-encoded UTF-8.`);
		else if (given.has(name))
			broken.push(`${name} must not be given more than once.`);
		else given.set(name, type.fromText(text));
	}
	return readMembers(members, given, broken);
}

function decode(text: string): string | undefined {
	if (!text.includes("%")) return text;
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
