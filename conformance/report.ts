// The results of conformance cases as JSON or JUnit XML. text-report.ts has them for people.
import type { CaseReply } from "./check.ts";
import { count } from "./outcomes.ts";
import type { Failure, Result } from "./run.ts";

export function toJsonReport(results: readonly Result[]): string {
	const report = {
		...count(results),
		results: results.map(({ case: one, outcome, ms, failure, skipReason }) => ({
			name: one.name,
			section: one.section,
			addition: one.addition ?? null,
			outcome,
			ms: Math.round(ms),
			...(skipReason !== undefined && { skipReason }),
			...(failure !== undefined && toFailureMembers(failure)),
		})),
	};
	return `${JSON.stringify(report, null, 2)}\n`;
}

export function toJunitReport(results: readonly Result[]): string {
	const { passed, failed, skipped } = count(results);
	return `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="pet store conformance" tests="${passed + failed + skipped}" failures="${failed}" skipped="${skipped}">
${results.map(toTestCase).join("\n")}
</testsuite>
`;
}

/** Status, headers and the start of the body. Empty without a reply. */
export function replyToText(reply: CaseReply | undefined): string {
	if (reply === undefined) return "";
	const { status, headers, bytes } = reply;
	const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
	const body = new TextDecoder().decode(bytes.slice(0, 1_000));
	return [`HTTP ${status}`, ...lines, "", body].join("\n");
}

function toFailureMembers({ curl, problems, reply }: Failure) {
	return { curl, problems, reply: replyToText(reply) };
}

function toTestCase({ case: one, ms, ...result }: Result): string {
	return `<testcase classname="section ${toXml(one.section)}" name="${toXml(one.name)}" time="${(ms / 1000).toFixed(3)}">${toInside(result)}</testcase>`;
}

function toInside({
	failure,
	skipReason,
}: Pick<Result, "failure" | "skipReason">): string {
	if (skipReason !== undefined)
		return `<skipped message="${toXml(skipReason)}"/>`;
	if (failure === undefined) return "";
	const { curl, problems, reply } = failure;
	return `<failure message="${toXml(problems.join("; "))}">${toXml(`${curl}\n\n${replyToText(reply)}`)}</failure>`;
}

/** Escapes the text, and replaces the characters that XML does not allow. */
function toXml(text: string): string {
	return text
		.replace(
			/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu,
			"?",
		)
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll(">", "&gt;")
		.replaceAll('"', "&quot;");
}
