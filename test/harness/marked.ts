// Replaces the part of a document between the marks `<!-- name -->` and `<!-- /name -->`.

/** The text must end with a line break. */
export function replaceMarked(
	document: string,
	name: string,
	text: string,
): string {
	const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
	const [before, rest] = document.split(begin);
	const [, after] = rest?.split(end) ?? [];
	if (before === undefined || after === undefined)
		throw new Error(`the document has no marks for ${name}`);
	return before + begin + text + end + after;
}
