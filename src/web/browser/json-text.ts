// Indents JSON text without parsing its values, so that each number keeps its digits.
import { parseRounded } from "../../client/json.ts";

/** Text that is not JSON stays as it is. Only strings have direction characters, which would reverse the line: they become escapes. */
export function indent(text: string): string {
	try {
		parseRounded(text);
	} catch {
		return text;
	}
	let line = "\n";
	return text
		.replace(
			/[\u202a-\u202e\u2066-\u2069]/g,
			(one) => `\\u${one.charCodeAt(0).toString(16)}`,
		)
		.replace(tokens, (part, string, empty) => {
			if (string !== undefined) return string;
			if (empty !== undefined) return empty.replace(/\s/g, "");
			if (part === ":") return ": ";
			if (/[{[]/.test(part)) line += "  ";
			if (/[}\]]/.test(part)) line = line.slice(0, -2);
			return /[}\]]/.test(part) ? line + part : part.trim() && part + line;
		});
}

/** Strings, empty lists and objects, signs, and space. Other values stay. */
const tokens = /("(?:[^"\\]|\\.)*")|(\[\s*\]|\{\s*\})|[[\]{},:]|\s+/g;
