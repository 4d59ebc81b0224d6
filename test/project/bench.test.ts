// The benchmark's arithmetic and its page; the measurements themselves are made by `npm run bench`.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { quote, toPage } from "../../bench/page.ts";
import { plans } from "../../bench/plan.ts";
import { promises } from "../../bench/promises.ts";
import { median, type Result, ratiosOf } from "../../bench/results.ts";
import { toReasons, toVerdictRow } from "../../bench/verdicts.ts";
import { root } from "../../harness/process.ts";

describe("a promise", () => {
	const atLeast = (bound: number, values: number[]) =>
		toVerdictRow(
			{ name: "list", values: () => values, atLeast: bound, stretch: 0.9 },
			[],
		).at(-1);

	test("is reached, with its stretch or without", () => {
		expect(atLeast(0.8, [0.79, 0.81, 0.82])).toBe("reached");
		expect(atLeast(0.8, [0.91])).toBe("reached, and the stretch");
	});
	test("is missed by a share of its bound", () => {
		expect(atLeast(0.8, [0.4, 0.4, 0.9])).toBe("**missed by 50%**");
		const atMost = { name: "start", values: () => [165], atMost: 150 };
		expect(toVerdictRow(atMost, []).at(-1)).toBe("**missed by 10%**");
	});
	test("that is missed has its reason on the page, the others have none", () => {
		const reached = { name: "list", values: () => [0.8], atLeast: 0.8 };
		const missed = { name: "get", values: () => [0.6], atLeast: 0.65 };
		expect(toReasons([reached], [])).toEqual([]);
		expect(
			toReasons([reached, missed, { ...missed, obstacle: "the row." }], []),
		).toEqual([
			"The reason for each that was missed:",
			"- *get*: not known.\n- *get*: the row.",
		]);
	});
	test("of this project that was missed has its reason in RESULTS.md", () => {
		const results = readFileSync(`${root}bench/RESULTS.md`, "utf8");
		const missed = results.matchAll(/^\| (.*?) \|.*\*\*missed by/gm);
		for (const [, name = ""] of missed) {
			const { obstacle } = promises.find((one) => one.name === name) ?? {};
			expect(results).toContain(`- *${name}*: ${obstacle ?? "a reason"}`);
		}
	});
	test("is not judged where nothing was measured", () => {
		expect(atLeast(0.8, [])).toBe("not measured");
		expect(atLeast(0.8, [Number.NaN])).toBe("not measured");
	});
});

test("a ratio is taken turn by turn", () => {
	expect(ratiosOf([10, 30], [20, 40, 50])).toEqual([0.5, 0.75]);
	expect(median([1, 9, 2])).toBe(2);
	expect(median([1, 2, 3, 9])).toBe(2.5);
});

test("the page has every target of every section, also one that was not measured", () => {
	const [bounds] = plans.default;
	const reading = {
		rate: 50_000,
		p99Ms: 1,
		idleMb: 40,
		loadMb: 60,
		startMs: 90,
		busy: 0,
	};
	const result: Result = {
		section: bounds?.title ?? "",
		...{ target: "embedded", trial: "list" },
		...{ animals: 100_000, connections: 32 },
		readings: [reading],
	};
	const page = toPage({
		results: [result],
		sections: bounds === undefined ? [] : [bounds],
		...{ circumstances: [], space: [], chart: "" },
	});
	expect(page).toContain("| list | 100,000 | 32 | 50,000 | – | – | – |");
});

test("the README quotes the chart between its marks", () => {
	const readme = readFileSync(`${root}README.md`, "utf8");
	const quoted = quote(readme, "list █", "Measured here.");
	expect(quoted).toContain("```text\nlist █\n```\n\nMeasured here.\n\n<!-- /");
	expect(quote(quoted, "list █", "Measured here.")).toBe(quoted);
});
