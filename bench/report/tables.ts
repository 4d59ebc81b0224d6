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
import type { TargetName } from "../plan/targets.ts";
import { fullSummary, summary, toCount, toTable } from "./figures.ts";
import { toLimit } from "./limit.ts";

/** A row for each target in each trial at each size, then a table of starts. */
export function toTables(results: readonly Result[], section: Section): string {
	const own = results.filter((result) => result.section === section.title);
	const columns = allColumns.filter(
		({ onlyWith }) =>
			onlyWith === undefined || section.targets.includes(onlyWith),
	);
	const head = [
		...["", "animals", "connections", "server"],
		...columns.map(({ title }) => title),
	];
	const rows = toCells(section).map((cell) => [
		...[cell.trial, toCount(cell.animals), String(cell.connections)],
		cell.target,
		...columns.map(({ toText }) => toText(own, cell)),
	]);
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

interface Column {
	readonly title: string;
	/** Only sections with this target have the column. */
	readonly onlyWith?: TargetName;
	readonly toText: (results: readonly Result[], cell: OwnCell) => string;
}

const allColumns: readonly Column[] = [
	toColumn("processor time, µs", "processorUs"),
	{ title: "ceiling's / its own", onlyWith: "ceiling", toText: toRatio },
	{ ...toColumn("PostgreSQL's, µs", "databaseUs"), onlyWith: "postgres" },
	toColumn("requests/s", "rate"),
	toColumn("p99, ms", "p99Ms"),
	toColumn("memory, MB", "loadMb"),
	{
		title: "limit",
		toText: (results, cell) =>
			toLimit(
				valuesOf(results, cell, "serverShare"),
				valuesOf(results, cell, "generatorShare"),
			),
	},
];

function toColumn(title: string, figure: Figure): Column {
	return {
		title,
		toText: (results, cell) => summary(valuesOf(results, cell, figure)),
	};
}

function toRatio(results: readonly Result[], cell: OwnCell): string {
	const ceiling = { ...cell, target: "ceiling" };
	const ratios = ratiosOf(
		valuesOf(results, ceiling, "processorUs"),
		valuesOf(results, cell, "processorUs"),
	);
	return cell.target === "ceiling" ? "" : fullSummary(ratios);
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
