// The arithmetic of the benchmark and the page that it writes. Only `npm run bench` measures.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { toReplyFinder } from "../../bench/bounds/replies.ts";
import { withKeys } from "../../bench/load/load.ts";
import { toOutcome, toRecord } from "../../bench/load/wrk.ts";
import { createPace } from "../../bench/measure/pace.ts";
import {
	type Reading,
	type Result,
	valuesOf,
} from "../../bench/measure/results.ts";
import {
	median,
	middleHalf,
	ratiosOf,
} from "../../bench/measure/statistics.ts";
import { clientKeys } from "../../bench/plan/keys.ts";
import { bounds, peers, plans } from "../../bench/plan/sections.ts";
import { targets } from "../../bench/plan/targets.ts";
import { add, list, trials } from "../../bench/plan/trials.ts";
import { toChart } from "../../bench/report/chart.ts";
import { fullSummary, summary } from "../../bench/report/figures.ts";
import { goals } from "../../bench/report/goals.ts";
import { toLimit } from "../../bench/report/limit.ts";
import { quote, toPage } from "../../bench/report/page.ts";
import { toReasons, toVerdictRow } from "../../bench/report/verdicts.ts";
import { root } from "../../harness/process.ts";
import { isKey } from "../../src/domain/api-key.ts";

const reading: Reading = {
	processorUs: 10,
	databaseUs: Number.NaN,
	rate: 50_000,
	p99Ms: 1,
	isDisturbed: false,
	serverShare: 0.98,
	generatorShare: 0.6,
	idleMb: 40,
	loadMb: 60,
	startMs: 90,
	busy: 0,
};

function toResult(
	target: string,
	readings: readonly Partial<Reading>[],
	cell: Partial<Result> = {},
): Result {
	return {
		section: bounds.title,
		target,
		trial: "list",
		animals: 100_000,
		connections: 32,
		...cell,
		readings: readings.map((one) => ({ ...reading, ...one })),
	};
}

describe("a goal", () => {
	const atLeast = (limit: number, values: number[]) =>
		toVerdictRow({ name: "list", values: () => values, atLeast: limit }, []).at(
			-1,
		);

	test("is reached if the median is at its limit or better", () => {
		expect(atLeast(0.8, [0.79, 0.8, 0.82])).toBe("reached");
	});
	test("is missed by a percentage of its limit", () => {
		expect(atLeast(0.8, [0.4, 0.4, 0.9])).toBe("**missed by 50%**");
		const atMost = { name: "start", values: () => [165], atMost: 150 };
		expect(toVerdictRow(atMost, []).at(-1)).toBe("**missed by 10%**");
	});
	test("has a reason on the page only if it is missed", () => {
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
	test("has a reason in RESULTS.md if it is missed there", () => {
		const results = readFileSync(`${root}bench/RESULTS.md`, "utf8");
		const missed = results.matchAll(/^\| (.*?) \|.*\*\*missed by/gm);
		for (const [, name] of missed) expect(results).toContain(`\n- *${name}*: `);
	});
	test("is neither reached nor missed if it was not measured", () => {
		expect(atLeast(0.8, [])).toBe("not measured");
		expect(atLeast(0.8, [Number.NaN])).toBe("not measured");
	});
	test("has a unique name", () => {
		const names = goals.map(({ name }) => name);
		expect(names).toEqual([...new Set(names)]);
	});
});

describe("the goals against the ceiling", () => {
	const verdictOf = (name: string, results: readonly Result[]) => {
		const goal = goals.find((one) => one.name === name);
		return goal === undefined ? [] : toVerdictRow(goal, results);
	};

	test("divide the ceiling's processor time by ours, turn by turn", () => {
		const results = [
			toResult("embedded", [{ processorUs: 10 }, { processorUs: 20 }]),
			toResult("ceiling", [{ processorUs: 9 }, { processorUs: 19 }]),
		];
		expect(
			verdictOf("list: processor time, ceiling / embedded", results),
		).toEqual([
			"list: processor time, ceiling / embedded",
			...["0.93 (0.90–0.95)", "≥ 0.9", "reached"],
		]);
	});
	test("drop the latencies of a pair with a disturbed second, but keep its processor time", () => {
		const disturbed = { processorUs: 10, p99Ms: 90, isDisturbed: true };
		const results = [
			toResult("embedded", [{ processorUs: 10, p99Ms: 3 }, disturbed]),
			toResult("ceiling", [
				{ processorUs: 8, p99Ms: 1 },
				{ processorUs: 9, p99Ms: 1 },
			]),
		];
		expect(
			verdictOf("list: processor time, ceiling / embedded", results)[1],
		).toBe("0.85 (0.80–0.90)");
		expect(
			verdictOf("p99 of list at saturation: embedded / ceiling", results)[1],
		).toBe("3.00");
	});
	test("compare the p99 at saturation with the ceiling's", () => {
		const results = [
			toResult("embedded", [{ p99Ms: 3 }]),
			toResult("ceiling", [{ p99Ms: 1 }]),
		];
		expect(
			verdictOf("p99 of list at saturation: embedded / ceiling", results),
		).toContain("**missed by 50%**");
	});
	test("compare the p99 at half the peak rate with the ceiling's", () => {
		const cell = {
			section: "At a steady rate",
			trial: "list at half the peak rate",
		};
		const results = [
			toResult("embedded", [{ p99Ms: 1.2 }], cell),
			toResult("ceiling", [{ p99Ms: 1 }], cell),
		];
		expect(
			verdictOf(
				"p99 of list at half the peak rate: embedded / ceiling",
				results,
			),
		).toContain("reached");
	});
});

describe("figures", () => {
	test("computes ratios turn by turn", () => {
		expect(ratiosOf([10, 30], [20, 40, 50])).toEqual([0.5, 0.75]);
	});
	test("leaves dropped readings out of the median", () => {
		expect(median([1, 9, 2])).toBe(2);
		expect(median([1, 2, 3, 9])).toBe(2.5);
		expect(median([1, Number.NaN, 9, 2])).toBe(2);
		expect(middleHalf([8, 1, 2, Number.NaN, 7, 3, 4, 6, 5])).toEqual([3, 6]);
	});
	test("shows the spread as a range, and the middle half if the readings are enough", () => {
		expect(summary([3, 1, 2])).toBe("2.00 (1.00–3.00)");
		expect(fullSummary([3, 1, 2])).toBe("2.00 (1.00–3.00)");
		expect(fullSummary([8, 1, 2, 7, 3, 4, 6, 5])).toBe(
			"4.50 (1.00–8.00, middle half 3.00–6.00)",
		);
		expect(summary([Number.NaN])).toBe("–");
	});
	test("keeps a disturbed reading as NaN, so that the pairs keep their order", () => {
		const results = [toResult("embedded", [{ isDisturbed: true }, {}])];
		expect(valuesOf(results, {}, "rate")).toEqual([Number.NaN, 50_000]);
	});
});

test("names the server or the generator as the limit of a row if its core was nearly always busy", () => {
	expect(toLimit([0.99, 0.97, 0.98], [0.6])).toBe(
		"server (server 98 %, generator 60 %)",
	);
	expect(toLimit([0.7], [1.02])).toBe(
		"generator (server 70 %, generator 100 %)",
	);
	expect(toLimit([0.7], [0.6])).toBe("neither (server 70 %, generator 60 %)");
	expect(toLimit([], [])).toBe("–");
});

describe("a load", () => {
	test("uses stored keys in turn, in the form of the service's keys", () => {
		expect(clientKeys).toHaveLength(4);
		expect(clientKeys.filter((key) => !isKey(key))).toEqual([]);
		const keys = (templates: (typeof list)[]) =>
			withKeys({ templates, keys: clientKeys }).map(({ key }) =>
				clientKeys.indexOf(key),
			);
		expect(keys([list])).toEqual([0, 1, 2, 3]);
		expect(keys([list, add])).toEqual([0, 1, 2, 3]);
		expect(keys([list, list, add])).toHaveLength(12);
	});
	test("is written for wrk with a place for each number and the length of the body", () => {
		const pair = { template: add, key: "k" };
		const record = toRecord("127.0.0.1:80", "/v1", pair);
		expect(record).toStartWith("+POST /v1/pets HTTP/1.1\r\nHost: 127.0.0.1:80");
		expect(record).toContain("\r\nAuthorization: Bearer k\r\n");
		const [head = "", body = ""] = record.split("\r\n\r\n");
		expect(body).toContain('"Rex \x01"');
		const sent = body.replaceAll("\x01", "123456789");
		expect(head).toContain(`Content-Length: ${sent.length}`);
	});
	test("is read from the output of wrk", () => {
		const stdout = `  Latency Distribution
     50%  401.00us
     99%    1.12ms
  80214 requests in 1.10s, 120.00MB read
Requests/sec:  72921.81`;
		const generated = { status: 0, stdout, stderr: "", processorSeconds: 0.55 };
		expect(toOutcome(generated)).toEqual({
			requests: 80_214,
			seconds: 1.1,
			p99Ms: 1.12,
			generatorShare: 0.5,
		});
		const lost = `${stdout}\n  Socket errors: connect 0, read 3`;
		expect(toOutcome({ ...generated, stdout: lost })).toBeUndefined();
	});
});

test("gives each request of a mix the ceiling's reply to its kind", () => {
	const recorded = (method: string, urlEnd?: string) => ({
		method,
		...(urlEnd !== undefined && { urlEnd }),
		status: 200,
		headers: {},
		body: null,
	});
	const all = [recorded("GET", "/pets"), recorded("GET"), recorded("POST")];
	const [ofList, ofGet, ofAdd] = all;
	if (ofList === undefined) throw new Error("there is no reply");
	const find = toReplyFinder([ofList, ...all.slice(1)]);
	const url = "http://127.0.0.1/v1/pets";
	expect(find({ method: "GET", url })).toBe(ofList);
	expect(find({ method: "GET", url: `${url}/7` })).toBe(ofGet ?? ofList);
	expect(find({ method: "POST", url })).toBe(ofAdd ?? ofList);
});

describe("the plan", () => {
	test("has every trial and every target, and no unknown ones", () => {
		const measured = new Set(plans.default.flatMap((one) => one.trials));
		expect([...measured].toSorted()).toEqual(
			trials.map(({ name }) => name).toSorted(),
		);
		const used = new Set(plans.default.flatMap((one) => one.targets));
		expect([...used].toSorted()).toEqual(
			targets.map(({ name }) => name).toSorted(),
		);
	});
	test("has nginx only in trials with one kind of request", () => {
		const own = plans.full.filter((one) => one.targets.includes("nginx"));
		expect(new Set(own.flatMap((one) => one.trials))).toEqual(
			new Set(["list", "get", "add"]),
		);
	});
});

test("lists every target of every section on the page, even targets that were not measured", () => {
	const page = toPage({
		results: [toResult("embedded", [{}])],
		sections: [bounds],
		circumstances: [],
		diskSpace: [],
		chart: "",
	});
	expect(page).toContain(
		"| list | 100,000 | 32 | embedded | 10.0 | – | 50,000 | 1.00 | 60.0 | server (server 98 %, generator 60 %) |",
	);
	expect(page).toContain(
		"| list | 100,000 | 32 | ceiling | – |  | – | – | – | – |",
	);
});

test("draws a line for each measured server, with a bar for the first trial", () => {
	const cell = (trial: string) => ({ section: peers.title, trial });
	const results = [
		toResult("embedded", [{ processorUs: 10 }], cell("list")),
		toResult("embedded", [{ processorUs: 25 }], cell("get")),
		toResult("Prism", [{ processorUs: 100 }], cell("list")),
	];
	expect(toChart(results, peers).split("\n")).toEqual([
		"                     list      get      add  list",
		`embedded          100,000   40,000        –  ${"█".repeat(30)}`,
		`Prism              10,000        –        –  ${"█".repeat(3)}`,
	]);
	expect(toChart([], peers)).toBe("");
});

test("quotes the chart between its marks in the README", () => {
	const readme = readFileSync(`${root}README.md`, "utf8");
	const quoted = quote(readme, "list █", "Measured here.");
	expect(quoted).toContain("```text\nlist █\n```\n\nMeasured here.\n\n<!-- /");
	expect(quote(quoted, "list █", "Measured here.")).toBe(quoted);
});

test("reaches its rate, however long a reply takes", () => {
	const pace = createPace(50_000, 32);
	for (const replyMs of [0.1, 0.3]) {
		const rate = () => 32_000 / (pace.pauseMs() + replyMs);
		pace.correct(rate());
		expect(rate()).toBeCloseTo(50_000);
	}
	const tooSlow = 32_000 / 5;
	pace.correct(tooSlow);
	expect(pace.pauseMs()).toBe(0);
});
