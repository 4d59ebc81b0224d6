// The results as a page: first the goals, then all figures.
import { type FileResult, filesTitle } from "../files/measure.ts";
import type { DiskSpace, Result } from "../measure/results.ts";
import { keptTitle, type Section, steadyRateTitle } from "../plan/sections.ts";
import { toTable } from "./figures.ts";
import { goals } from "./goals.ts";
import {
	diskSpaceHead,
	fileHead,
	steadyRateHead,
	toDiskSpaceRow,
	toFileRow,
	toSteadyRateRow,
	toTables,
} from "./tables.ts";
import { toReasons, toVerdictRow, verdictHead } from "./verdicts.ts";

export interface Report {
	readonly results: readonly Result[];
	readonly sections: readonly Section[];
	/** Imports and exports; none if they were not measured. */
	readonly files?: readonly FileResult[];
	/** A table of this checkout and an older commit; empty if they were not compared. */
	readonly kept?: string;
	/** Sentences on when, where and how the run was made. */
	readonly circumstances: readonly string[];
	readonly diskSpace: readonly DiskSpace[];
	/** Empty if its section was not measured. */
	readonly chart: string;
}

export function toPage(report: Report): string {
	const { results, sections, files = [], kept = "", diskSpace, chart } = report;
	const { circumstances } = report;
	const verdicts = goals.map((goal) => toVerdictRow(goal, results));
	const steady = results.filter(({ section }) => section === steadyRateTitle);
	const parts = [
		"# Results",
		"This page is written by `npm run bench`.",
		circumstances.map((sentence) => `- ${sentence}`).join("\n"),
		"## Goals",
		"Each figure is the median of its readings, with the lowest and the highest in parentheses, and for ratios of four or more readings also the range of the middle half. *Processor time* is what all threads of the server use for a request. A ratio (`a / b`) is computed for each pair of readings that were taken in turn, a second each.",
		"*limit* shows whether the server or the load generator used 90 % or more of its core, with the shares of both. Where the generator was the limit, the server could answer more requests a second than the table says.",
		toTable(verdictHead, verdicts),
		...toReasons(goals, results),
		...(chart === "" ? [] : ["## Chart", toChartBlock(chart)]),
		...sections.flatMap((section) => [
			`## ${section.title}`,
			...(section.note === undefined ? [] : [section.note]),
			toTables(results, section),
		]),
		...(steady.length === 0
			? []
			: [
					`## ${steadyRateTitle}`,
					toTable(steadyRateHead, steady.map(toSteadyRateRow)),
				]),
		...(files.length === 0
			? []
			: [`## ${filesTitle}`, toTable(fileHead, files.map(toFileRow))]),
		...(kept === ""
			? []
			: [
					`## ${keptTitle}`,
					"Processor time of a request, both in turn with 1,000 animals and 32 connections. On the slow disk each sync takes at least 5 ms.",
					kept,
				]),
		"## Disk space",
		toTable(diskSpaceHead, diskSpace.map(toDiskSpaceRow)),
	];
	return `${parts.join("\n\n")}\n`;
}

/** Replaces the text between the marks in a document by the chart and its source. */
export function quote(document: string, chart: string, source: string): string {
	const text = [opening, toChartBlock(chart), source, closing].join("\n\n");
	return document.replace(
		new RegExp(`${opening}.*${closing}`, "s"),
		() => text,
	);
}

const opening = "<!-- bench -->";
const closing = "<!-- /bench -->";

function toChartBlock(chart: string): string {
	return `Requests per CPU second that the server used, 32 connections, 1,000 animals:\n\n\`\`\`text\n${chart}\n\`\`\``;
}
