// Finds the next page in a Link header (RFC 8288).

/** The target of the first link with the relation `next`, as it is written. */
export function findNext(header: string): string | undefined {
	for (const [, target, parameters = ""] of header.matchAll(links)) {
		const { rel = "", anchor } = toParameters(parameters);
		// A link with an anchor is about another resource than the page.
		if (anchor === undefined && /(^|\s)next(\s|$)/i.test(rel)) return target;
	}
	return undefined;
}

const links = /<([^>]*)>((?:[^",]|"(?:[^"\\]|\\.)*")*)/g;
const parameter =
	/;\s*([^\s=;]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*)))?/g;

/** If a parameter is given twice, the first one counts, as RFC 8288 has it for `rel`. */
function toParameters(text: string): Partial<Record<string, string>> {
	const found = [...text.matchAll(parameter)].map(
		([, name = "", quoted, token = ""]) => [
			name.toLowerCase(),
			quoted?.replace(/\\(.)/g, "$1") ?? token,
		],
	);
	return Object.fromEntries(found.reverse());
}
