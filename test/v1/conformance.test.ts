// Runs the conformance cases against this service, and checks that they cover the whole document.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { statuses } from "../../conformance/case.ts";
import {
	cases,
	decisionsWithoutCase,
	sections,
} from "../../conformance/cases.ts";
import { check } from "../../conformance/check.ts";
import { type Result, run } from "../../conformance/run.ts";
import { toTextReport } from "../../conformance/text-report.ts";
import { root } from "../../harness/process.ts";
import { petStatuses } from "../../src/domain/pet.ts";
import { openService } from "../service.ts";

describe.each([
	["sqlite", "in process"],
	["sqlite", "over a socket"],
	["postgres", "over a socket"],
] as const)("%s, %s", (engine, transport) => {
	test("passes all conformance cases, even when they run a second time", async () => {
		const service = await openService(transport, { engine });
		const target = {
			baseUrl: `${service.url}/v1`,
			key: await service.makeKey(),
			readKey: await service.makeKey({ scope: "read" }),
			send: service.send,
		};
		for (let time = 0; time < 2; time++) {
			const failures = [];
			for await (const { case: one, failure } of run(cases, target))
				if (failure !== undefined)
					failures.push([one.name, failure.curl, failure.problems]);
			expect(failures).toEqual([]);
		}
		await service.close();
	}, 60_000);
});

test("accepts a full page without the expected animal, since the document promises no order", () => {
	const problems = (...ids: number[]) =>
		check(
			{ status: 200, pets: { has: ["7"], fullAt: 2 } },
			{
				status: 200,
				headers: new Headers(),
				bytes: Buffer.from(
					JSON.stringify(ids.map((id) => ({ id, name: "x", categoryId: 1 }))),
				),
			},
			(text) => text,
			() => "",
		);
	expect(problems(1, 2)).toEqual([]);
	expect(problems(7)).toEqual([]);
	expect(problems(1)).toEqual(["animal 7 is missing"]);
});

test("the cases know the same statuses as the service", () => {
	expect(statuses).toEqual([...petStatuses]);
});

test("the kit has more than 200 conformance cases, and no two in a section have the same name", () => {
	expect(cases.length).toBeGreaterThan(200);
	const names = cases.map(({ section, name }) => `${section} ${name}`);
	expect(names.length).toBe(new Set(names).size);
});

test("docs/conformance.md has the number of cases in each section", () => {
	const document = readFileSync(`${root}docs/conformance.md`, "utf8");
	const rows = sections.map(({ number, title }) => {
		const own = cases.filter(({ section }) => section === number);
		const additions = own.filter(({ addition }) => addition !== undefined);
		const counts = [own.length - additions.length, additions.length];
		return `| ${number} ${title} | ${counts.join(" | ")} |\n`;
	});
	expect(document).toContain(rows.join(""));
});

describe("docs/interface.md", () => {
	const document = readFileSync(`${root}docs/interface.md`, "utf8");
	const headings = [...(document.match(/^##.*$/gm) ?? [])];

	test("has the sections of the cases", () => {
		const titles = sections.map(({ number, title }) =>
			number.includes(".")
				? `### ${number} ${title}`
				: `## ${number}. ${title}`,
		);
		expect(headings).toEqual(titles);
	});

	test("has each heading that the rule of a failure links to", () => {
		const results = sections.map(
			({ number }): Result => ({
				case: { name: "any", section: number, steps: [] },
				outcome: "failed",
				ms: 0,
				failure: {
					step: { request: { path: "" }, expect: { status: 200 } },
					curl: "",
					problems: [],
					reply: undefined,
				},
			}),
		);
		const links = toTextReport(results, sections, false).matchAll(
			/ docs\/interface\.md#(\S+) /g,
		);
		// The anchors that GitHub and others make of headings.
		const anchors = headings.map((heading) =>
			heading
				.replace(/^#+ /, "")
				.toLowerCase()
				.replace(/[.()]/g, "")
				.replaceAll(" ", "-"),
		);
		expect([...links].map(([, anchor]) => anchor)).toEqual(anchors);
	});
});

test("every section of the document has a conformance case, or the reason why it has none", () => {
	for (const { number, whyNoCase } of sections) {
		const own = cases.filter(
			({ section, addition }) =>
				section.startsWith(number) && addition === undefined,
		);
		expect([number, own.length > 0]).toEqual([number, whyNoCase === undefined]);
	}
	const known = sections.map(({ number }) => number);
	for (const { section } of cases) expect(known).toContain(section);
});

test("every decision has a conformance case, or is listed as one that no request can test", () => {
	const rows = [
		...readFileSync(`${root}docs/decisions.md`, "utf8").matchAll(
			/^\| ([^|]+) \| .* \| .* \|$/gm,
		),
	]
		.map(([, question = ""]) => question)
		.filter((question) => question !== "Question");
	const shown = new Set(cases.flatMap(({ addition }) => addition ?? []));
	expect(rows.filter((row) => !shown.has(row)).sort()).toEqual(
		[...decisionsWithoutCase].sort(),
	);
	expect([...shown].filter((row) => !rows.includes(row))).toEqual([]);
});
