// Requests for each second of processor time, as a bar chart in plain text.
import { type Result, valuesOf } from "../measure/results.ts";
import { median } from "../measure/statistics.ts";
import type { Section } from "../plan/sections.ts";
import { toCount } from "./figures.ts";

/** A group of bars for each trial of the section, a bar for each target that was measured. */
export function toChart(
	results: readonly Result[],
	{ title, trials, targets }: Section,
): string {
	const groups = trials.flatMap((trial) => {
		const bars = targets
			.map((target) => {
				const cell = { section: title, trial, target };
				const times = valuesOf(results, cell, "processorUs");
				return { target, rate: 1e6 / median(times) };
			})
			.filter(({ rate }) => Number.isFinite(rate));
		return bars.length === 0 ? [] : [[trial, ...toBars(bars)].join("\n")];
	});
	return groups.join("\n\n");
}

const width = 30;

function toBars(bars: readonly { target: string; rate: number }[]): string[] {
	const most = Math.max(...bars.map(({ rate }) => rate));
	const longest = Math.max(...bars.map(({ target }) => target.length));
	return bars.map(({ target, rate }) => {
		const bar = "█".repeat(Math.max(1, Math.round((rate / most) * width)));
		const count = toCount(Math.round(rate)).padStart(7);
		return `  ${target.padEnd(longest)} ${count}  ${bar}`;
	});
}
