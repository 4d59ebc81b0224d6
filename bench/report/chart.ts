// Requests for each second of processor time, as a chart in plain text.
import { type Result, valuesOf } from "../measure/results.ts";
import { median } from "../measure/statistics.ts";
import type { Section } from "../plan/sections.ts";
import { toCount } from "./figures.ts";

/** A line for each target: its bar for the first trial, and its figures for all of them. Empty if the section was not measured. */
export function toChart(
	results: readonly Result[],
	{ title, trials, targets }: Section,
): string {
	const lines = targets.map((target) => ({
		target,
		rates: trials.map((trial) => {
			const cell = { section: title, trial, target };
			return 1e6 / median(valuesOf(results, cell, "processorUs"));
		}),
	}));
	const measured = lines.filter(({ rates: [first = Number.NaN] }) =>
		Number.isFinite(first),
	);
	if (measured.length === 0) return "";
	const most = Math.max(...measured.map(({ rates: [first = 0] }) => first));
	const longest = Math.max(...targets.map((target) => target.length));
	const toLine = (name: string, cells: readonly string[], bar: string) =>
		`${name.padEnd(longest)}${cells.map((cell) => cell.padStart(9)).join("")}  ${bar}`.trimEnd();
	return [
		toLine("", trials, trials[0] ?? ""),
		...measured.map(({ target, rates }) => {
			const [first = 0] = rates;
			const bar = "█".repeat(Math.max(1, Math.round((first / most) * width)));
			return toLine(target, rates.map(toCell), bar);
		}),
	].join("\n");
}

const width = 30;

function toCell(rate: number): string {
	return Number.isFinite(rate) ? toCount(Math.round(rate)) : "–";
}
