// The results of conformance cases for people: each section with its failures, then what failed and what was skipped, then the counts.
import type { Case } from "./case.ts";
import type { Section } from "./cases.ts";
import type { CaseReply } from "./check.ts";
import { toCounts } from "./outcomes.ts";
import { replyToText } from "./report.ts";
import type { Result } from "./run.ts";

/** `isVerbose` adds the whole reply to each failure. */
export function toTextReport(
	results: readonly Result[],
	sections: readonly Section[],
	isVerbose: boolean,
): string {
	const lines = [
		...sections.flatMap((section) =>
			toSectionLines(results, section, isVerbose),
		),
		"",
		...toFailedTitles(results),
		...toSkippedTitles(results),
		toCounts(results),
	];
	return `${lines.filter(isNotSecondBlank).map(withoutControls).join("\n")}\n`;
}

function toSectionLines(
	results: readonly Result[],
	section: Section,
	isVerbose: boolean,
): string[] {
	const own = results.filter(({ case: one }) => one.section === section.number);
	if (own.length === 0) return [];
	return [
		`${section.number} ${section.title}: ${toCounts(own)}`,
		...own.flatMap((result) => toFailureLines(result, section, isVerbose)),
	];
}

function toFailureLines(
	{ case: one, failure }: Result,
	section: Section,
	isVerbose: boolean,
): string[] {
	if (failure === undefined) return [];
	const { curl, problems, reply } = failure;
	return [
		"",
		`  FAILED ${one.name}`,
		`    rule: ${toRule(one, section)}`,
		`    ${curl}`,
		...toProblemLines(problems).map((problem) => `    ${problem}`),
		...(isVerbose ? toWholeReply(reply) : toShortReply(reply)),
		"",
	];
}

function toRule({ addition }: Case, { number, title }: Section): string {
	return addition === undefined
		? `docs/interface.md#${toAnchor(`${number} ${title}`)} (section ${number}: ${title})`
		: `docs/decisions.md, an addition to section ${number}: ${addition}`;
}

/** As GitHub writes it. */
function toAnchor(heading: string): string {
	return heading
		.toLowerCase()
		.replace(/[^\w -]/g, "")
		.replaceAll(" ", "-");
}

/** A list of 100 wrong animals would have hundreds of problems. */
function toProblemLines(problems: readonly string[]): readonly string[] {
	if (problems.length <= maxProblems) return problems;
	const others = problems.length - maxProblems;
	return [...problems.slice(0, maxProblems), `and ${others} more`];
}

const maxProblems = 5;

/** The body on one line, if any. The problems already name a wrong status or header. */
function toShortReply(reply: CaseReply | undefined): string[] {
	if (reply === undefined || reply.bytes.length === 0) return [];
	const text = new TextDecoder().decode(reply.bytes).replace(/\s+/g, " ");
	const isLong = text.length > maxBody;
	return [`    the body: ${isLong ? `${text.slice(0, maxBody)}…` : text}`];
}

const maxBody = 200;

function toWholeReply(reply: CaseReply | undefined): string[] {
	if (reply === undefined) return [];
	return replyToText(reply)
		.split("\n")
		.map((line) => `    > ${line}`);
}

function toFailedTitles(results: readonly Result[]): string[] {
	const failed = results.filter(({ outcome }) => outcome === "failed");
	if (failed.length === 0) return [];
	return ["Failed:", ...failed.map(toTitle), ""];
}

function toSkippedTitles(results: readonly Result[]): string[] {
	const skipped = results.filter(({ outcome }) => outcome === "skipped");
	if (skipped.length === 0) return [];
	const titles = skipped.flatMap((result) => [
		toTitle(result),
		`      (${result.skipReason})`,
	]);
	return ["Skipped:", ...titles, ""];
}

function toTitle({ case: one }: Result): string {
	return `  ${one.section.padEnd(3)} ${one.name}`;
}

function isNotSecondBlank(
	line: string,
	index: number,
	lines: readonly string[],
): boolean {
	return line !== "" || lines[index - 1] !== "";
}

/** A reply could control the terminal or reverse the line. A line break in a curl body stays. */
function withoutControls(line: string): string {
	return line.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, "?");
}
