// What a section measured, as tables.
import type { Section } from "./plan.ts";
import { type Figure, median, type Result, valuesOf } from "./results.ts";

/** A table for each figure: a row for each trial at each size, a column for each target. */
export function toTables(results: readonly Result[], section: Section): string {
	const own = results.filter((result) => result.section === section.title);
	const tables = figures.map(({ figure, title }) => {
		const head = ["", "animals", "connections", ...section.targets];
		return `${title}:\n\n${toTable(head, toRows(own, section, figure))}`;
	});
	const lives = section.targets.flatMap((target) =>
		section.animals.map((animals) => toLife(own, target, animals)),
	);
	return [...tables, `Start:\n\n${toTable(lifeHead, lives)}`].join("\n\n");
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

const lifeHead = ["", "animals", "to the first reply, ms", "idle, MB"];

function toLife(
	results: readonly Result[],
	target: string,
	animals: number,
): string[] {
	const own = (figure: Figure) =>
		summary(valuesOf(results, { target, animals }, figure));
	return [target, toCount(animals), own("startMs"), own("idleMb")];
}

export const steadyHead = ["", "connections", "requests/s", "p99, ms"];

export function toSteadyRow({ trial, connections, readings }: Result) {
	return [
		trial,
		String(connections),
		summary(readings.map(({ rate }) => rate)),
		summary(readings.map(({ p99Ms }) => p99Ms)),
	];
}

/** The median, with the least and the most. */
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
