// The results of conformance cases as text, JSON or JUnit XML.
import type { Section } from "./cases.ts";
import type { Result } from "./run.ts";

/** A line for each section, the details of each failure below it, and the counts at the end. */
export function toTextReport(
	results: readonly Result[],
	sections: readonly Section[],
): string {
	const blocks = sections.flatMap(({ number, title }) => {
		const own = results.filter((result) => result.case.section === number);
		if (own.length === 0) return [];
		return [
			`${number} ${title}: ${toCounts(own)}`,
			...own.flatMap((result) => toFailureLines(result)),
		];
	});
	return `${[...blocks, "", toCounts(results)].join("\n")}\n`;
}

export function toJsonReport(results: readonly Result[]): string {
	const report = {
		...count(results),
		results: results.map(({ case: one, outcome, ms, failure }) => ({
			name: one.name,
			section: one.section,
			addition: one.addition ?? null,
			outcome,
			ms: Math.round(ms),
			...failure,
		})),
	};
	return `${JSON.stringify(report, null, 2)}\n`;
}

export function toJunitReport(results: readonly Result[]): string {
	const { passed, failed, skipped } = count(results);
	const cases = results.map(({ case: one, outcome, ms, failure }) => {
		const inside =
			outcome === "skipped"
				? "<skipped/>"
				: failure === undefined
					? ""
					: `<failure message="${toXml(failure.problems.join("; "))}">${toXml(`${failure.curl}\n\n${failure.came}`)}</failure>`;
		return `<testcase classname="section ${toXml(one.section)}" name="${toXml(one.name)}" time="${(ms / 1000).toFixed(3)}">${inside}</testcase>`;
	});
	return `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="pet store conformance" tests="${passed + failed + skipped}" failures="${failed}" skipped="${skipped}">
${cases.join("\n")}
</testsuite>
`;
}

function toCounts(results: readonly Result[]): string {
	const { passed, failed, skipped } = count(results);
	return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

function count(results: readonly Result[]) {
	const of = (outcome: Result["outcome"]) =>
		results.filter((result) => result.outcome === outcome).length;
	return { passed: of("passed"), failed: of("failed"), skipped: of("skipped") };
}

function toFailureLines({ case: one, failure }: Result): string[] {
	if (failure === undefined) return [];
	const came = failure.came === "" ? [] : failure.came.split("\n");
	return [
		"",
		`  FAILED ${one.name}${one.addition === undefined ? "" : ` (addition: ${one.addition})`}`,
		`    ${failure.curl}`,
		...failure.problems.map((problem) => `    ${problem}`),
		...came.map((line) => `    > ${line}`),
		"",
	];
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
