// The scales and the periods of the console's charts.
import { describe, expect, test } from "bun:test";
import type { UsageRow } from "../../../src/web/console/api/usage.ts";
import {
	periods,
	toParts,
	toStarts,
} from "../../../src/web/console/charts/periods.ts";
import { stack, toScale } from "../../../src/web/console/charts/shapes.tsx";
import {
	countByClass,
	toClassSeries,
} from "../../../src/web/console/charts/statuses.ts";

describe("a scale", () => {
	test.each([
		[[], [0, 1]],
		[
			[0, undefined],
			[0, 1],
		],
		[[1], [0, 0.5, 1]],
		[[3], [0, 1, 2, 3]],
		[[10], [0, 5, 10]],
		[[99], [0, 50, 100]],
		[
			[100, 7],
			[0, 50, 100],
		],
		[[101], [0, 50, 100, 150]],
		[[1_234_567], [0, 500_000, 1_000_000, 1_500_000]],
	])("of %p has the ticks %p", (values, ticks) => {
		const scale = toScale(values);
		expect(scale.ticks).toEqual(ticks);
		expect(scale.top).toBe(ticks.at(-1) ?? 0);
	});
	test("is never below the largest value", () => {
		for (let value = 0.0001; value < 1e9; value *= 1.37)
			expect(toScale([value]).top).toBeGreaterThanOrEqual(value * (1 - 1e-9));
	});
});

describe("a period", () => {
	const now = Date.UTC(2026, 10, 16, 8, 59, 30);
	test("ends with the current part, and divides time as in UTC", () => {
		const minutes = toStarts(periods.hour, now);
		expect(minutes.length).toBe(60);
		expect(minutes.at(-1)).toBe(Date.UTC(2026, 10, 16, 8, 59));
		expect(minutes[0]).toBe(Date.UTC(2026, 10, 16, 8, 0));
		expect(toStarts(periods.day, now)[0]).toBe(Date.UTC(2026, 10, 15, 9));
		expect(toStarts(periods.month, now)[0]).toBe(Date.UTC(2026, 9, 18));
	});
	test("groups the rows by part", () => {
		const start = Date.UTC(2026, 10, 16, 8, 58);
		const rows = [row(start, 200, 10), row(start, 404, 30)];
		const parts = toParts([...rows, row(0, 500, 99)], periods.hour, now);
		expect(parts.at(-2)).toEqual({ start, seconds: 60, rows });
		expect(parts.at(-1)).toMatchObject({ seconds: 30, rows: [] });
		expect(parts.flatMap(({ rows }) => rows)).toEqual(rows);
	});
	test("counts at least a second for its current part", () => {
		const begun = Date.UTC(2026, 10, 16, 9);
		expect(toParts([], periods.hour, begun).at(-1)?.seconds).toBe(1);
	});
});

describe("requests by class of status", () => {
	test("are counted apart for 4xx and 5xx", () => {
		const statuses = [200, 201, 304, 400, 404, 499, 500, 503];
		const rows = statuses.map((status) => row(0, status, status));
		expect(countByClass(rows)).toEqual([705, 1303, 1003]);
	});
	test("are stacked: each bar includes the bars that are drawn over it", () => {
		const series = toClassSeries([
			[5, 2, 1],
			[0, 0, 3],
		]);
		expect(series.map(({ values }) => values)).toEqual([
			[5, 0],
			[2, 0],
			[1, 3],
		]);
		expect(stack(series).map(({ values }) => values)).toEqual([
			[8, 3],
			[3, 3],
			[1, 3],
		]);
	});
});

function row(start: number, status: number, requests: number): UsageRow {
	const unknown = { key: undefined, p50Ms: undefined, p99Ms: undefined };
	return { ...unknown, start, operation: "", status, requests, errors: 0 };
}
