// The requests by minute and by hour.
import { expect, setSystemTime, test } from "bun:test";
import { createRequestCounts } from "../../src/http/request-counts.ts";

const route = {
	method: "GET",
	path: "/pets",
	operationId: "listPets",
	headers: new Headers(),
	handle: () => ({}),
};

test("keeps 60 minutes and 24 hours, also over gaps and a clock that is set back", () => {
	const { count, recent } = createRequestCounts();
	const start = Date.UTC(2027, 0, 31, 8, 30, 10);
	const countAt = (at: number, status: number, ms: number) => {
		setSystemTime(at);
		count({ route }, status, ms);
	};
	for (let index = 0; index < 99; index++) countAt(start, 200, 0.5);
	countAt(start, 503, 2_000);
	countAt(start + 59 * 60_000, 499, 60_000);
	const { lastHour, lastDay } = recent(start + 59 * 60_000);
	const empty = { total: 0, failed: 0, p99Ms: undefined };
	expect(lastHour).toHaveLength(60);
	expect(lastHour[0]).toEqual({
		at: Date.UTC(2027, 0, 31, 8, 30),
		total: 100,
		failed: 1,
		p99Ms: 0.5,
	});
	expect(lastHour[1]).toEqual({ at: Date.UTC(2027, 0, 31, 8, 31), ...empty });
	expect(lastHour[59]).toMatchObject({ total: 1, failed: 0, p99Ms: 10_000 });
	expect(lastDay.slice(-2)).toMatchObject([{ total: 100 }, { total: 1 }]);
	expect(lastDay[0]).toEqual({ at: Date.UTC(2027, 0, 30, 10), ...empty });

	countAt(start - 10 * 60_000, 200, 1);
	expect(recent(start - 10 * 60_000).lastHour[59]).toMatchObject({ total: 1 });
	expect(recent(start + 60 * 60_000).lastHour[0]).toEqual({
		at: Date.UTC(2027, 0, 31, 8, 31),
		...empty,
	});
	setSystemTime();
});
