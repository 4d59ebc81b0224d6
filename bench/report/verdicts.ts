// Whether each goal was reached, as rows of a table, and the reasons why some were missed.
import type { Result } from "../measure/results.ts";
import { median } from "../measure/statistics.ts";
import { fullSummary } from "./figures.ts";
import type { Goal } from "./goal.ts";

export const verdictHead = ["", "measured", "goal", "result"];

export function toVerdictRow(goal: Goal, results: readonly Result[]): string[] {
	const values = goal.values(results);
	return [
		goal.name,
		fullSummary(values),
		toRequirement(goal),
		isMeasured(values) ? toVerdict(goal, median(values)) : "not measured",
	];
}

/** Empty if no goal was missed. */
export function toReasons(
	goals: readonly Goal[],
	results: readonly Result[],
): string[] {
	const missed = goals.filter((goal) => isMissed(goal, results));
	if (missed.length === 0) return [];
	const lines = missed.map(
		({ name, reason = "Not known." }) => `- *${name}*: ${reason}`,
	);
	return ["Why these goals were missed:", lines.join("\n")];
}

function isMeasured(values: readonly number[]): boolean {
	return values.some(Number.isFinite);
}

function isMissed(goal: Goal, results: readonly Result[]): boolean {
	const { atLeast = 0, atMost = Infinity } = goal;
	const values = goal.values(results);
	const value = median(values);
	return isMeasured(values) && (value < atLeast || value > atMost);
}

function toRequirement({ atLeast, atMost, unit }: Goal): string {
	const limit = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
	return unit === undefined ? limit : `${limit} ${unit}`;
}

function toVerdict(
	{ atLeast = 0, atMost = Infinity }: Goal,
	value: number,
): string {
	if (value < atLeast) return `**missed by ${toPercent(1 - value / atLeast)}**`;
	if (value > atMost) return `**missed by ${toPercent(value / atMost - 1)}**`;
	return "reached";
}

function toPercent(share: number): string {
	return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;
}
