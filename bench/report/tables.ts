// The results of a section as tables, and how a table and its figures are written.
import type { FileResult } from "../files/measure.ts";
import {
	type DiskSpace,
	type Figure,
	median,
	type Result,
	valuesOf,
} from "../measure/results.ts";
import type { Section } from "../plan/sections.ts";

/** A table for each figure, with a row for each trial at each size and a column for each target. Then a table of starts. */
export function toTables(results: readonly Result[], section: Section): string {
	const own = results.filter((result) => result.section === section.title);
	const tables = figures.map(({ figure, title }) => {
		const head = ["", "animals", "connections", ...section.targets];
		return `${title}:\n\n${toTable(head, toRows(own, section, figure))}`;
	});
	const starts = section.targets.flatMap((target) =>
		section.animals.map((animals) => toStartRow(own, target, animals)),
	);
	return [...tables, `Start:\n\n${toTable(startHead, starts)}`].join("\n\n");
}

const figures: readonly { figure: Figure; title: string }[] = [
	{ figure: "rate", title: "Requests a second" },
	{ figure: "p99Ms", title: "p99, milliseconds" },
	{ figure: "loadMb", title: "Resident memory under load, MB" },
];

function toRows(
	results: readonly Result[],
	{ targets, trials, animals, connections }: Section,
	figure: Figure,
): string[][] {
	const cells = trials.flatMap((trial) =>
		animals.flatMap((size) =>
			connections.map((at) => ({ trial, animals: size, connections: at })),
		),
	);
	return cells.map((cell) => [
		cell.trial,
		toCount(cell.animals),
		String(cell.connections),
		...targets.map((target) =>
			summary(valuesOf(results, { ...cell, target }, figure)),
		),
	]);
}

const startHead = ["", "animals", "to the first reply, ms", "idle, MB"];

function toStartRow(
	results: readonly Result[],
	target: string,
	animals: number,
): string[] {
	const own = (figure: Figure) =>
		summary(valuesOf(results, { target, animals }, figure));
	return [target, toCount(animals), own("startMs"), own("idleMb")];
}

export const steadyRateHead = ["", "connections", "requests/s", "p99, ms"];

export function toSteadyRateRow({ trial, connections, readings }: Result) {
	return [
		trial,
		String(connections),
		summary(readings.map(({ rate }) => rate)),
		summary(readings.map(({ p99Ms }) => p99Ms)),
	];
}

export const fileHead = ["", "lines a second", "peak memory, MB"];

export function toFileRow({ name, rates, peaksMb }: FileResult): string[] {
	return [name, summary(rates), summary(peaksMb)];
}

export const diskSpaceHead = ["", "animals", "bytes per animal, with indexes"];

export function toDiskSpaceRow({ target, animals, bytesPerAnimal }: DiskSpace) {
	return [target, toCount(animals), bytesPerAnimal.toFixed(1)];
}

/** The median, with the lowest and the highest value. */
export function summary(values: readonly number[]): string {
	if (values.length === 0 || !values.every(Number.isFinite)) return "–";
	const [low, high] = [Math.min(...values), Math.max(...values)];
	const range = `(${toFigure(low)}–${toFigure(high)})`;
	return `${toFigure(median(values))}${values.length > 1 ? ` ${range}` : ""}`;
}

function toFigure(value: number): string {
	if (value >= 1_000) return toCount(Math.round(value));
	return value.toFixed(value >= 10 ? 0 : 2);
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
