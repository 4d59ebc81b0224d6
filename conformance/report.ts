// The results of conformance cases: as JSON for programs, and as text for people.
import type { Rule } from "./case.ts";
import { sections } from "./cases.ts";
import type { CaseReply } from "./check.ts";
import type { Failure, Result } from "./run.ts";

export function toJsonReport(results: readonly Result[]): string {
	const report = {
		...count(results),
		results: results.map(({ case: { name, rule }, ms, failure }) => ({
			name,
			section: rule.section,
			rule: rule.text,
			isAddition: rule.isAddition,
			outcome: failure === undefined ? "passed" : "failed",
			ms: Math.round(ms),
			...(failure !== undefined && toFailureMembers(failure)),
		})),
	};
	return `${JSON.stringify(report, null, 2)}\n`;
}

function count(results: readonly Result[]) {
	const failed = results.filter(({ failure }) => failure !== undefined).length;
	return { passed: results.length - failed, failed };
}

/** The reply has its status, headers and the start of its body. It is empty without a reply. */
function toFailureMembers({ curl, problems, reply }: Failure) {
	if (reply === undefined) return { curl, problems, reply: "" };
	const { status, headers, bytes } = reply;
	const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
	const body = new TextDecoder().decode(bytes.slice(0, 1_000));
	const text = [`HTTP ${status}`, ...lines, "", body].join("\n");
	return { curl, problems, reply: text };
}

/** Each section with the rules that failed, then the counts of cases. */
export function toTextReport(results: readonly Result[]): string {
	const lines = sections.flatMap(({ number, title }) => {
		const own = results.filter(({ case: one }) => one.rule.section === number);
		const rules = Map.groupBy(own, ({ case: { rule } }) => toRuleText(rule));
		return own.length === 0
			? []
			: [
					`${number} ${title}: ${toCounts(own)}`,
					...[...rules].flatMap(([rule, cases]) => toRuleLines(rule, cases)),
				];
	});
	return `${[...lines, "", toCounts(results)].map(withoutControls).join("\n")}\n`;
}

function toRuleText({ section, text, isAddition }: Rule): string {
	return `section ${section}${isAddition ? ", our addition" : ""}: ${text}`;
}

function toCounts(results: readonly Result[]): string {
	const { passed, failed } = count(results);
	return `${passed} passed, ${failed} failed`;
}

/** The rule once, with its first failure: the others often have the same cause. */
function toRuleLines(rule: string, results: readonly Result[]): string[] {
	const { failed } = count(results);
	const first = results.find(({ failure }) => failure !== undefined);
	if (first?.failure === undefined) return [];
	const { curl, problems, reply } = first.failure;
	const cases = `${failed} of ${results.length} cases failed`;
	return [
		`  FAILED ${rule}`,
		`    ${cases}${failed === 1 ? "" : ", the first"}: ${first.case.name}`,
		`    ${curl}`,
		...toProblemLines(problems).map((problem) => `    ${problem}`),
		...toBodyLine(reply),
	];
}

/** A list of 100 wrong animals would have hundreds of problems. */
function toProblemLines(problems: readonly string[]): readonly string[] {
	if (problems.length <= maxProblems) return problems;
	const others = problems.length - maxProblems;
	return [...problems.slice(0, maxProblems), `and ${others} more`];
}

const maxProblems = 5;

/** The problems already name a wrong status or header. */
function toBodyLine(reply: CaseReply | undefined): readonly string[] {
	if (reply === undefined || reply.bytes.length === 0) return [];
	const text = new TextDecoder().decode(reply.bytes).replace(/\s+/g, " ");
	const isLong = text.length > maxBody;
	return [`    the body: ${isLong ? `${text.slice(0, maxBody)}…` : text}`];
}

const maxBody = 200;

/** A reply could control the terminal or reverse the line. A line break in a curl body stays. */
function withoutControls(line: string): string {
	return line.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, "?");
}
