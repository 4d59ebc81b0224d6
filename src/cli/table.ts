// Prints records as lines with aligned columns.
import { padTo, toPrintable, widthOf } from "./text-width.ts";

type Row = Readonly<Record<string, string | number>>;

/** All rows have the same members; their names head the columns. */
export function toTable(rows: readonly Row[]): string {
	const columns = Object.keys(rows[0] ?? {});
	const lines = [
		columns.map((name) => name.toUpperCase()),
		...rows.map((row) => columns.map((name) => toPrintable(String(row[name])))),
	];
	const widths = columns.map((_, column) =>
		Math.max(...lines.map((line) => widthOf(line[column] ?? ""))),
	);
	return lines
		.map((line) =>
			line.map((cell, i) => padTo(cell, widths[i] ?? 0)).join("  "),
		)
		.map((line) => `${line.trimEnd()}\n`)
		.join("");
}
