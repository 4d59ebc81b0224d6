// Text on a terminal: its width, what may be printed, and tables.
import { isTerminal } from "../../log/output.ts";

/** Printable text, cut with an ellipsis if it is too wide. Cuts no character in two, even one of several code points. */
export function cutTo(text: string, width: number): string {
	const shown = toPrintable(text);
	if (Bun.stringWidth(shown) <= width) return shown;
	let start = "";
	for (const { segment } of new Intl.Segmenter("en").segment(shown)) {
		if (Bun.stringWidth(`${start}${segment}…`) > width) break;
		start += segment;
	}
	return `${start}…`;
}

/** Escapes characters that could control the terminal or reverse the text. */
export function toPrintable(text: string): string {
	return text.replace(
		/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
		(character) =>
			`\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}

type Row = Readonly<Record<string, string | number>>;

/**
 * Aligned columns, with numbers to the right. All rows have the same members, which name the columns. On a terminal, the column `cut` is
 * cut to fit its width, if the others leave 20 columns.
 */
export function toTable(rows: readonly Row[], cut?: string): string {
	const columns = Object.keys(rows[0] ?? {}).map((name) => {
		const cells = rows.map((row) => toPrintable(String(row[name])));
		const isNumber =
			name !== "name" && cells.every((cell) => figure.test(cell));
		return { name, isNumber, cells: [name.toUpperCase(), ...cells] };
	});
	const isCut = isTerminal(1);
	// A terminal that does not know its width says 0.
	const width = (isCut && process.stdout.columns) || 80;
	const room = columns
		.filter(({ name }) => name !== cut)
		.reduce((left, { cells }) => left - widest(cells) - gap.length, width);
	return toAligned(
		columns.map(({ name, isNumber, cells }) => ({
			isNumber,
			cells:
				isCut && name === cut
					? cells.map((cell) => cutTo(cell, Math.max(room, 20)))
					: cells,
		})),
	);
}

/** A number, with or without a unit; or an empty cell. */
const figure = /^(-?[\d,.]+( ?(ms|s|%|[kMG]?B))?)?$/;

/** Named values as lines with aligned values. */
export function toFacts(facts: Readonly<Record<string, string>>): string {
	return toAligned([
		{ cells: Object.keys(facts), isNumber: false },
		{ cells: Object.values(facts).map(toPrintable), isNumber: false },
	]);
}

function toAligned(
	columns: readonly { cells: readonly string[]; isNumber: boolean }[],
): string {
	const padded = columns.map(({ cells, isNumber }) => {
		const width = widest(cells);
		return cells.map((cell) => {
			const spaces = " ".repeat(width - Bun.stringWidth(cell));
			return isNumber ? spaces + cell : cell + spaces;
		});
	});
	const lines = padded[0]?.map((_, line) =>
		padded.map((cells) => cells[line]).join(gap),
	);
	return (lines ?? []).map((line) => `${line.trimEnd()}\n`).join("");
}

const gap = "  ";

function widest(cells: readonly string[]): number {
	return Math.max(...cells.map((cell) => Bun.stringWidth(cell)));
}
