// Reads the query of a request by the types of its parameters.
import { readTexts } from "../contract/parameter.ts";
import { type Members, readMembers, type ValuesOf } from "../domain/type.ts";

/** Ignores unknown parameters. Adds a sentence to `broken` for each broken rule. */
export function readQuery<Of extends Members>(
	query: string,
	members: Of,
	broken: string[],
): ValuesOf<Of> {
	const texts = [...readTexts(query, Object.keys(members))];
	const values = texts.map(
		([name, text]) => [name, members[name]?.fromText(text)] as const,
	);
	return readMembers(members, new Map(values), broken);
}
