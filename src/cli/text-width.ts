// Text on a terminal: how wide it is, how much of it fits, and what may be printed.

/** In columns. Wide characters, such as those of Chinese, take two. */
export function widthOf(text: string): number {
	return Bun.stringWidth(text);
}

/** The text with spaces after it, so that it has this width. */
export function padTo(text: string, width: number): string {
	return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** Text of others, or the start of it with an ellipsis if it is too wide. No character is cut in two, also none that consists of several code points. */
export function cutTo(text: string, width: number): string {
	const shown = toPrintable(text);
	if (widthOf(shown) <= width) return shown;
	let start = "";
	for (const { segment } of segmenter.segment(shown)) {
		if (widthOf(`${start}${segment}…`) > width) break;
		start += segment;
	}
	return `${start}…`;
}

const segmenter = new Intl.Segmenter("en");

/** Text of others without what could control the terminal or reverse the direction of what follows. */
export function toPrintable(text: string): string {
	return text.replace(
		/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
		(character) =>
			`\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}
