// The results as a page: promises first, then all that was measured.
import { type Section, steadyTitle } from "./plan.ts";
import { promises } from "./promises.ts";
import type { Result } from "./results.ts";
import { steadyHead, toSteadyRow, toTable, toTables } from "./tables.ts";
import { toReasons, toVerdictRow, verdictHead } from "./verdicts.ts";

export interface Report {
	readonly results: readonly Result[];
	readonly sections: readonly Section[];
	/** Sentences on when, where and how. */
	readonly circumstances: readonly string[];
	/** Engine, number of animals, bytes for each of them. */
	readonly space: readonly (readonly string[])[];
	/** Empty if what it shows was not measured. */
	readonly chart: string;
}

export function toPage(report: Report): string {
	const { results, sections, circumstances, space, chart } = report;
	const verdicts = promises.map((promised) => toVerdictRow(promised, results));
	const steady = results.filter(({ section }) => section === steadyTitle);
	const parts = [
		"# Results",
		"This page is written by `npm run bench`.",
		circumstances.map((sentence) => `- ${sentence}`).join("\n"),
		"## What must be reached",
		"A figure is the median of its readings, with the least and the most of them. A ratio is taken of readings that followed each other at once.",
		toTable(verdictHead, verdicts),
		...toReasons(promises, results),
		...(chart === "" ? [] : ["## Chart", toChartBlock(chart)]),
		...sections.flatMap((section) => [
			`## ${section.title}`,
			toTables(results, section),
		]),
		...(steady.length === 0
			? []
			: [`## ${steadyTitle}`, toTable(steadyHead, steady.map(toSteadyRow))]),
		"## Space",
		toTable(["", "animals", "bytes an animal, with indexes"], space),
	];
	return `${parts.join("\n\n")}\n`;
}

/** What stands between the marks in a document becomes this. */
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
	return `Requests a second, 32 connections, 1,000 animals:\n\n\`\`\`text\n${chart}\n\`\`\``;
}
