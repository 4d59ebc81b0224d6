// What became of each promise: rows of a table.
import type { Promised } from "./promises.ts";
import { median, type Result } from "./results.ts";
import { summary } from "./tables.ts";

export const verdictHead = ["", "measured", "bound", ""];

export function toVerdictRow(
	promised: Promised,
	results: readonly Result[],
): string[] {
	const values = promised.values(results);
	const isMeasured = values.length > 0 && values.every(Number.isFinite);
	return [
		promised.name,
		summary(values),
		toBound(promised),
		isMeasured ? toVerdict(promised, median(values)) : "not measured",
	];
}

function toBound({ atLeast, atMost, stretch, unit }: Promised): string {
	const bound = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
	const wish = stretch === undefined ? "" : `, stretch ${stretch}`;
	return `${bound}${unit === undefined ? "" : ` ${unit}`}${wish}`;
}

function toVerdict(
	{ atLeast = 0, atMost = Infinity, stretch = Infinity }: Promised,
	value: number,
): string {
	if (value < atLeast) return `**missed by ${toPercent(1 - value / atLeast)}**`;
	if (value > atMost) return `**missed by ${toPercent(value / atMost - 1)}**`;
	return value >= stretch ? "reached, and the stretch" : "reached";
}

function toPercent(share: number): string {
	return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;
}
