// The scales and the periods of the console's charts.
import { describe, expect, test } from "bun:test";
import type { UsageRow } from "../../../src/web/console/api/usage.ts";
import {
	periods,
	toParts,
	toStarts,
} from "../../../src/web/console/charts/periods.ts";
import { toScale } from "../../../src/web/console/charts/shapes.tsx";

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
	test("ends with the current part, and its parts begin as in UTC", () => {
		const minutes = toStarts(periods.hour, now);
		expect(minutes.length).toBe(60);
		expect(minutes.at(-1)).toBe(Date.UTC(2026, 10, 16, 8, 59));
		expect(minutes[0]).toBe(Date.UTC(2026, 10, 16, 8, 0));
		expect(toStarts(periods.day, now)[0]).toBe(Date.UTC(2026, 10, 15, 9));
		expect(toStarts(periods.month, now)[0]).toBe(Date.UTC(2026, 9, 18));
	});
	test("sums the rows of each part, and takes percentiles from the busiest operation", () => {
		const start = Date.UTC(2026, 10, 16, 8, 58);
		const parts = toParts(
			[row(start, 10, 1, 5), row(start, 30, 0, 2), row(0, 99, 99, 99)],
			periods.hour,
			now,
		);
		expect(parts.at(-2)).toEqual({
			start,
			seconds: 60,
			requests: 40,
			errors: 1,
			p50Ms: 2,
			p99Ms: 2,
		});
		expect(parts.at(-1)).toMatchObject({ seconds: 30, requests: 0 });
		expect(parts.reduce((sum, { requests }) => sum + requests, 0)).toBe(40);
	});
	test("divides by at least a second", () => {
		const begun = Date.UTC(2026, 10, 16, 9);
		expect(toParts([], periods.hour, begun).at(-1)?.seconds).toBe(1);
	});
});

function row(
	start: number,
	requests: number,
	errors: number,
	ms: number,
): UsageRow {
	const times = { p50Ms: ms, p99Ms: ms };
	return { start, operation: "", key: undefined, requests, errors, ...times };
}
