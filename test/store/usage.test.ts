// The usage of a store: what every engine must do with counted requests.
import { beforeEach, expect, test } from "bun:test";
import { openStoreReader } from "../../src/store/open.ts";
import {
	durationCount,
	type UsageCount,
	type UsageQuery,
} from "../../src/store/usage.ts";
import { onEachEngine } from "./engines.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

onEachEngine((stores) => {
	const usage = () => stores().store.usage;
	const other = () => stores().other.usage;

	/** Each test reads the range of one day, in which no other test adds anything. */
	let start = Date.UTC(2026, 0, 1);
	beforeEach(() => {
		start += 3 * day;
	});

	function count(given: Partial<UsageCount> = {}): UsageCount {
		const { requests = 1 } = given;
		return {
			...{ at: start, key: "1", operation: "listPets", status: 200 },
			durations: [requests, ...Array(durationCount - 1).fill(0)],
			requests,
			...given,
		};
	}

	function read(asked: Partial<UsageQuery> = {}) {
		return other().read({
			...{ period: "minute", from: start, to: start + day },
			...{ by: [], unit: undefined, limit: 100 },
			...asked,
		});
	}

	test("a count is in its minute and in its hour", async () => {
		const at = start + 5 * hour + 17 * minute + 3_000;
		const durations = Array.from({ length: durationCount }, (_, i) => i);
		await usage().add([count({ at, requests: 105, durations })]);
		for (const [period, startsAt] of [
			["minute", start + 5 * hour + 17 * minute],
			["hour", start + 5 * hour],
		] as const)
			expect(
				await read({
					period,
					by: ["operation", "key", "status"],
					unit: period,
				}),
			).toEqual([
				{
					...{ at: startsAt, firstAt: startsAt, lastAt: startsAt },
					...{ operation: "listPets", key: "1", status: 200 },
					...{ requests: 105, errors: 0, durations },
				},
			]);
	});

	test("counts that two stores add at the same time are all summed", async () => {
		const keys = Array.from({ length: 20 }, (_, index) => String(index));
		const adds = Array.from({ length: 10 }, (_, index) => {
			// In opposite orders, since locks that are taken in different orders make deadlocks.
			const counts = keys.map((key) => count({ key }));
			if (index % 2 === 1) counts.reverse();
			return (index % 2 === 0 ? usage() : other()).add(counts);
		});
		await Promise.all(adds);
		const sums = await read({ period: "hour", by: ["key"] });
		expect(sums.map(({ key, requests }) => [key, requests]).sort()).toEqual(
			keys.map((key) => [key, 10]).sort(),
		);
	});

	test("sums are by the dimensions and the time unit that were asked for", async () => {
		await usage().add([
			count({ requests: 2 }),
			count({ requests: 3, at: start + hour, key: "PETSTORE_API_KEY" }),
			count({ requests: 5, status: 404, operation: "getPet" }),
			count({ requests: 7, status: 503, key: "" }),
		]);
		const sum = async (asked: Partial<UsageQuery>) =>
			(await read(asked))
				.map(({ at, operation, key, status, requests, errors }) => [
					(at || start) - start,
					operation,
					key,
					status,
					requests,
					errors,
				])
				.sort((one, other) => Number(one[4]) - Number(other[4]));
		expect(await sum({})).toEqual([[0, "", "", 0, 17, 12]]);
		expect(await sum({ by: ["operation"] })).toEqual([
			[0, "getPet", "", 0, 5, 5],
			[0, "listPets", "", 0, 12, 7],
		]);
		expect(await sum({ by: ["key"] })).toEqual([
			[0, "", "PETSTORE_API_KEY", 0, 3, 0],
			[0, "", "", 0, 7, 7],
			[0, "", "1", 0, 7, 5],
		]);
		expect(await sum({ unit: "hour" })).toEqual([
			[hour, "", "", 0, 3, 0],
			[0, "", "", 0, 14, 12],
		]);
		expect(await sum({ unit: "day", by: ["status"] })).toEqual([
			[0, "", "", 200, 5, 0],
			[0, "", "", 404, 5, 5],
			[0, "", "", 503, 7, 7],
		]);
		expect(await sum({ operation: "getPet" })).toEqual([[0, "", "", 0, 5, 5]]);
	});

	test("a range includes its start and excludes its end", async () => {
		await usage().add([
			count({ at: start - 1 }),
			count({ requests: 2 }),
			count({ requests: 3, at: start + day - 1 }),
			count({ requests: 5, at: start + day }),
		]);
		expect(await read()).toMatchObject([
			{ requests: 5, firstAt: start, lastAt: start + day - minute },
		]);
	});

	test("a sum of more rows than are summed at once is exact", async () => {
		// 1,440 minutes with two operations, and one minute with many keys.
		const counts = Array.from({ length: 2_880 }, (_, index) =>
			count({
				at: start + Math.floor(index / 2) * minute,
				operation: index % 2 === 0 ? "listPets" : "createPet",
			}),
		);
		await usage().add(counts);
		await usage().add(
			Array.from({ length: 2_500 }, (_, key) => count({ key: `${key + 2}` })),
		);
		const sums = await read({ by: ["operation"] });
		expect(
			sums.map(({ operation, requests }) => [operation, requests]).sort(),
		).toEqual([
			["createPet", 1_440],
			["listPets", 3_940],
		]);
		expect(await read({ unit: "minute", limit: 10 })).toHaveLength(10);
	});

	test("minutes are deleted after 48 hours, hours after 400 days, and no others", async () => {
		const now = start;
		const ages = [400 * day + 2 * hour, 400 * day - hour, 49 * hour, 47 * hour];
		await usage().add(ages.map((age) => count({ at: now - age, key: "old" })));
		await usage().deleteOld(now);
		const left = async (period: "minute" | "hour") =>
			(
				await read({
					period,
					from: 0,
					unit: period,
					by: ["key"],
					limit: 10_000,
				})
			)
				.filter(({ key }) => key === "old")
				.map(({ at }) => now - at);
		expect(await left("minute")).toEqual([47 * hour]);
		expect((await left("hour")).sort((a, b) => b - a)).toEqual(ages.slice(1));
	});

	test("a command that only reads gets the same sums", async () => {
		await usage().add([count({ requests: 3 })]);
		const reader = await openStoreReader(stores().url);
		const asked = { from: start, to: start + day, unit: undefined, limit: 10 };
		expect(
			await reader.usage.read({ ...asked, period: "hour", by: ["key"] }),
		).toMatchObject([{ key: "1", requests: 3 }]);
		await reader.close();
	});
});
