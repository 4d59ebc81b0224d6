// The results as tables.
import type { FileResult } from "../files/measure.ts";
import {
	type Cell,
	type DiskSpace,
	type Figure,
	type Result,
	valuesOf,
} from "../measure/results.ts";
import { ratiosOf } from "../measure/statistics.ts";
import type { Section } from "../plan/sections.ts";
import { fullSummary, summary, toCount, toTable } from "./figures.ts";
import { toLimit } from "./limit.ts";

/** A row for each target in each trial at each size, then a table of starts. */
export function toTables(results: readonly Result[], section: Section): string {
	const own = results.filter((result) => result.section === section.title);
	const hasCeiling = section.targets.includes("ceiling");
	const head = [
		...["", "animals", "connections", "server", "processor time, µs"],
		...(hasCeiling ? ["ceiling's / its own"] : []),
		...["requests/s", "p99, ms", "memory, MB", "limit"],
	];
	const rows = toCells(section).map((cell) => toRow(own, cell, hasCeiling));
	const starts = section.targets.flatMap((target) =>
		section.animals.map((animals) => toStartRow(own, target, animals)),
	);
	return [toTable(head, rows), `Start:\n\n${toTable(startHead, starts)}`].join(
		"\n\n",
	);
}

type OwnCell = Omit<Cell, "section">;

function toCells(section: Section): OwnCell[] {
	return section.trials.flatMap((trial) =>
		section.animals.flatMap((animals) =>
			section.connections.flatMap((connections) =>
				section.targets.map((target) => {
					return { trial, animals, connections, target };
				}),
			),
		),
	);
}

function toRow(
	results: readonly Result[],
	cell: OwnCell,
	hasCeiling: boolean,
): string[] {
	const own = (figure: Figure) => valuesOf(results, cell, figure);
	const ceiling = { ...cell, target: "ceiling" };
	const ratios = ratiosOf(
		valuesOf(results, ceiling, "processorUs"),
		own("processorUs"),
	);
	return [
		...[cell.trial, toCount(cell.animals), String(cell.connections)],
		...[cell.target, summary(own("processorUs"))],
		...(hasCeiling
			? [cell.target === "ceiling" ? "" : fullSummary(ratios)]
			: []),
		...[summary(own("rate")), summary(own("p99Ms")), summary(own("loadMb"))],
		toLimit(own("serverShare"), own("generatorShare")),
	];
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

export const steadyRateHead = [
	...["", "server", "connections", "requests/s", "p99, ms"],
	...["processor time, µs", "limit"],
];

export function toSteadyRateRow(result: Result): string[] {
	const own = (figure: Figure) => valuesOf([result], {}, figure);
	return [
		...[result.trial, result.target, String(result.connections)],
		...[summary(own("rate")), summary(own("p99Ms"))],
		summary(own("processorUs")),
		toLimit(own("serverShare"), own("generatorShare")),
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
