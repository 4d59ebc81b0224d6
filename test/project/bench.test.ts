// The arithmetic of the benchmark and the page that it writes. Only `npm run bench` measures.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { median, type Result, ratiosOf } from "../../bench/measure/results.ts";
import { plans } from "../../bench/plan/sections.ts";
import { goals } from "../../bench/report/goals.ts";
import { quote, toPage } from "../../bench/report/page.ts";
import { toReasons, toVerdictRow } from "../../bench/report/verdicts.ts";
import { root } from "../../harness/process.ts";

describe("a goal", () => {
	const atLeast = (limit: number, values: number[]) =>
		toVerdictRow(
			{ name: "list", values: () => values, atLeast: limit, stretch: 0.9 },
			[],
		).at(-1);

	test("is reached, with its stretch goal or without", () => {
		expect(atLeast(0.8, [0.79, 0.81, 0.82])).toBe("reached");
		expect(atLeast(0.8, [0.91])).toBe("reached, also the stretch goal");
	});
	test("is missed by a percentage of its limit", () => {
		expect(atLeast(0.8, [0.4, 0.4, 0.9])).toBe("**missed by 50%**");
		const atMost = { name: "start", values: () => [165], atMost: 150 };
		expect(toVerdictRow(atMost, []).at(-1)).toBe("**missed by 10%**");
	});
	test("has a reason on the page if it is missed, and only then", () => {
		const reached = { name: "list", values: () => [0.8], atLeast: 0.8 };
		const missed = { name: "get", values: () => [0.6], atLeast: 0.65 };
		expect(toReasons([reached], [])).toEqual([]);
		expect(
			toReasons([reached, missed, { ...missed, reason: "The row." }], []),
		).toEqual([
			"Why these goals were missed:",
			"- *get*: Not known.\n- *get*: The row.",
		]);
	});
	test("that RESULTS.md shows as missed has its reason there", () => {
		const results = readFileSync(`${root}bench/RESULTS.md`, "utf8");
		const missed = results.matchAll(/^\| (.*?) \|.*\*\*missed by/gm);
		for (const [, name = ""] of missed) {
			const { reason } = goals.find((one) => one.name === name) ?? {};
			expect(results).toContain(`- *${name}*: ${reason ?? "a reason"}`);
		}
	});
	test("is neither reached nor missed if it was not measured", () => {
		expect(atLeast(0.8, [])).toBe("not measured");
		expect(atLeast(0.8, [Number.NaN])).toBe("not measured");
	});
});

test("ratios are computed turn by turn", () => {
	expect(ratiosOf([10, 30], [20, 40, 50])).toEqual([0.5, 0.75]);
	expect(median([1, 9, 2])).toBe(2);
	expect(median([1, 2, 3, 9])).toBe(2.5);
});

test("the page has every target of every section, also targets that were not measured", () => {
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
		...{ circumstances: [], diskSpace: [], chart: "" },
	});
	expect(page).toContain("| list | 100,000 | 32 | 50,000 | – | – | – |");
});

test("the README quotes the chart between its marks", () => {
	const readme = readFileSync(`${root}README.md`, "utf8");
	const quoted = quote(readme, "list █", "Measured here.");
	expect(quoted).toContain("```text\nlist █\n```\n\nMeasured here.\n\n<!-- /");
	expect(quote(quoted, "list █", "Measured here.")).toBe(quoted);
});
