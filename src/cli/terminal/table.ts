// Text on a terminal: how wide it is, what of it may be printed, and tables.

/** In columns. A wide character, like a Chinese one, takes two. */
export function widthOf(text: string): number {
	return Bun.stringWidth(text);
}

function padTo(text: string, width: number, isNumber: boolean): string {
	const spaces = " ".repeat(Math.max(0, width - widthOf(text)));
	return isNumber ? spaces + text : text + spaces;
}

/** Text of others, or the start of it with an ellipsis if it is too wide. No character is cut in two, also none that consists of several code points. */
export function cutTo(text: string, width: number): string {
	const shown = toPrintable(text);
	if (widthOf(shown) <= width) return shown;
	let start = "";
	for (const { segment } of new Intl.Segmenter("en").segment(shown)) {
		if (widthOf(`${start}${segment}…`) > width) break;
		start += segment;
	}
	return `${start}…`;
}

/** Text of others without what could control the terminal or reverse the direction of what follows. */
export function toPrintable(text: string): string {
	return text.replace(
		/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
		(character) =>
			`\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}

type Row = Readonly<Record<string, string | number>>;

/** Records as lines with aligned columns, numbers to the right. All rows have the same members; their names head the columns. */
export function toTable(rows: readonly Row[]): string {
	const columns = Object.keys(rows[0] ?? {});
	const isNumber = (name: string) =>
		name !== "name" && rows.every((row) => figure.test(String(row[name])));
	return toAligned(
		[
			columns.map((name) => name.toUpperCase()),
			...rows.map((row) => columns.map((name) => String(row[name]))),
		],
		columns.map(isNumber),
	);
}

/** With its unit, or nothing where there is no figure. */
const figure = /^(-?[\d,.]+( ?(ms|s|%|[kMG]?B))?)?$/;

/** Named values as lines with aligned values. */
export function toFacts(facts: Readonly<Record<string, string>>): string {
	return toAligned(Object.entries(facts), []);
}

function toAligned(
	lines: readonly (readonly string[])[],
	numbers: readonly boolean[],
): string {
	const cells = lines.map((line) => line.map(toPrintable));
	const toWidth = (_: unknown, column: number) =>
		Math.max(...cells.map((line) => widthOf(line[column] ?? "")));
	const widths = cells[0]?.map(toWidth) ?? [];
	return cells
		.map((line) =>
			line.map((cell, i) => padTo(cell, widths[i] ?? 0, numbers[i] ?? false)),
		)
		.map((line) => `${line.join("  ").trimEnd()}\n`)
		.join("");
}

/** A number of bytes in the largest unit in which it is at least 1. */
export function toSizeText(bytes: number): string {
	const power = Math.min(
		Math.floor(Math.log2(Math.max(bytes, 1)) / 10),
		units.length - 1,
	);
	const size = bytes / 1024 ** power;
	return power === 0
		? `${bytes} bytes`
		: `${size.toFixed(1)} ${units[power]} (${toCountText(bytes)} bytes)`;
}

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** With a comma after each thousand. */
export function toCountText(count: number): string {
	return count.toLocaleString("en");
}

/** Like "1 animal" and "1,200 animals". */
export function toQuantity(count: number, noun: string): string {
	return `${toCountText(count)} ${noun}${count === 1 ? "" : "s"}`;
}
