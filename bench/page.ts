// The results as a page: promises first, then all that was measured.
import { type Section, steadyTitle } from "./plan.ts";
import { promises } from "./promises.ts";
import type { Result } from "./results.ts";
import { steadyHead, toSteadyRow, toTable, toTables } from "./tables.ts";
import { toVerdictRow, verdictHead } from "./verdicts.ts";

export interface Report {
	readonly results: readonly Result[];
	readonly sections: readonly Section[];
	/** Sentences on when, where and how. */
	readonly circumstances: readonly string[];
	/** Engine, number of animals, bytes for each of them. */
	readonly space: readonly (readonly string[])[];
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
		reasons,
		"## Chart",
		toChartBlock(chart),
		...sections.flatMap((section) => [
			`## ${section.title}`,
			toTables(results, section),
		]),
		`## ${steadyTitle}`,
		toTable(steadyHead, steady.map(toSteadyRow)),
		"## Space",
		toTable(["", "animals", "bytes an animal, with indexes"], space),
	];
	return `${parts.join("\n\n")}\n`;
}

const reasons = `Where a bound is missed, this is why:

- *list, of the ceiling*: a bare reply takes about 10 µs on this machine, and a list 2 to 3 more, half of it for the key (its header and
  its hash). The bound is reached while the machine is quiet; what others do on it costs the ceiling less.
- *get, of the ceiling*: 6 to 7 µs more than a bare reply: the row (2 to 3), the JSON, its hash for the ETag and a header of its own (2), key
  and route (2).
- *add, of the ceiling*: the insert writes a table and an index (3 µs), a 32nd of a commit comes on top (2 to 4, for part of which the
  processor waits for the disk), and the body is parsed and checked, with a promise for each step (5).
- *list on PostgreSQL, of embedded*: a list on the embedded engine asks no database while nothing changes; here the callers that wait
  together still share a query, and PostgreSQL has its core together with the load.
- *get* and *walk in 10,000,000 animals*: the page of an animal is in no cache of SQLite and is read from the system's (2 to 3 µs). To map
  the whole file would save more than half of that, at the cost of half a gigabyte of resident memory.
- *p99 at half the peak rate*: readings differ more than the bound allows. Where the core is taken away for some milliseconds, that is the
  p99; the machine is shared with others.`;

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
