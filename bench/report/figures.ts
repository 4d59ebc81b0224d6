// How figures, their spread and tables are written.
import { median, middleHalf } from "../measure/statistics.ts";

/** The median, with the lowest and the highest value. */
export function summary(values: readonly number[]): string {
	const measured = values.filter(Number.isFinite);
	if (measured.length === 0) return "–";
	const range = measured.length > 1 ? ` (${toRange(measured)})` : "";
	return toFigure(median(measured)) + range;
}

/** With the range of the middle half too, for figures that are judged. */
export function fullSummary(values: readonly number[]): string {
	const measured = values.filter(Number.isFinite);
	if (measured.length < 4) return summary(measured);
	const half = middleHalf(measured).map(toFigure).join("–");
	return `${toFigure(median(measured))} (${toRange(measured)}, middle half ${half})`;
}

function toRange(values: readonly number[]): string {
	return `${toFigure(Math.min(...values))}–${toFigure(Math.max(...values))}`;
}

function toFigure(value: number): string {
	if (value >= 1_000) return toCount(Math.round(value));
	return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

export function toCount(value: number): string {
	return value.toLocaleString("en");
}

export function toTable(
	head: readonly string[],
	rows: readonly (readonly string[])[],
): string {
	const lines = [head, head.map(() => "---"), ...rows];
	return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
