// Indents JSON text without parsing its values, so that each number keeps its digits.
import { parseRounded } from "../../client/json.ts";
import type { Token } from "../code-tokens.ts";

/** Splits the text into tokens with line breaks and indents. Text that is not JSON stays one token. */
export function toTokens(text: string): readonly Token[] {
	if (!isJson(text)) return [{ kind: undefined, text }];
	let line = "\n";
	return (escapeDirections(text).match(parts) ?? []).map((part, index, all) => {
		if (all[index + 1] === ":") return { kind: "name", text: part };
		if (/^"/.test(part)) return { kind: "string", text: part };
		if (/^[-\d]/.test(part)) return { kind: "number", text: part };
		if (/^\w/.test(part)) return { kind: "keyword", text: part };
		if (/^[{[]$/.test(part)) line += "  ";
		if (/^[}\]]/.test(part)) line = line.slice(0, -2);
		if (/^[,{[]$/.test(part)) return { kind: undefined, text: part + line };
		if (/^[}\]]/.test(part)) return { kind: undefined, text: line + part };
		const sign = part === ":" ? ": " : part.replace(/\s/g, "");
		return { kind: undefined, text: sign };
	});
}

/** Only strings have direction characters, which would reverse the line. Their escapes mean the same in JSON. */
function escapeDirections(text: string): string {
	return text.replace(
		/[\u202a-\u202e\u2066-\u2069]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16)}`,
	);
}

/** Strings, empty lists and objects, single signs, and other values. Space does not match. */
const parts = /"(?:[^"\\]|\\.)*"|\[\s*\]|\{\s*\}|[[\]{},:]|[^\s[\]{},:"]+/g;

function isJson(text: string): boolean {
	try {
		parseRounded(text);
		return true;
	} catch {
		return false;
	}
}
