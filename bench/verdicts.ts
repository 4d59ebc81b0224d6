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
	return [
		promised.name,
		summary(values),
		toBound(promised),
		isMeasured(values) ? toVerdict(promised, median(values)) : "not measured",
	];
}

/** Why those that were missed were missed; nothing if none was. */
export function toReasons(
	promises: readonly Promised[],
	results: readonly Result[],
): string[] {
	const missed = promises.filter((promised) => isMissed(promised, results));
	if (missed.length === 0) return [];
	const lines = missed.map(
		({ name, obstacle = "not known." }) => `- *${name}*: ${obstacle}`,
	);
	return ["The reason for each that was missed:", lines.join("\n")];
}

function isMeasured(values: readonly number[]): boolean {
	return values.length > 0 && values.every(Number.isFinite);
}

function isMissed(promised: Promised, results: readonly Result[]): boolean {
	const { atLeast = 0, atMost = Infinity } = promised;
	const values = promised.values(results);
	const value = median(values);
	return isMeasured(values) && (value < atLeast || value > atMost);
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
