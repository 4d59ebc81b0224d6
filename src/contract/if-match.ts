// The condition of a change: the ETags of which the animal must still have one (`If-Match`, RFC 9110).

/** The strong tags, with their quotes; or `*`, which every animal fulfils. */
export type IfMatch = "*" | readonly string[];

export const ifMatchRule =
	'must be *, or ETags in double quotes, separated by commas: "abc"';

/** Undefined if the text has another form. Weak tags are left out, since they never match here. */
export function toIfMatch(text: string): IfMatch | undefined {
	if (text === "*") return "*";
	if (!ifMatchForm.test(text)) return undefined;
	const tags = text.match(entityTag) ?? [];
	return tags.filter((tag) => !tag.startsWith("W/"));
}

/** One or more tags, with commas and spaces before, between and after them; or `*`. */
export const ifMatchForm = /^(\*|[ \t,]*((W\/)?"[^"]*"[ \t,]*)+)$/;

const entityTag = /(?:W\/)?"[^"]*"/g;
