// The usage of a store: what every engine must do with counted requests.
import { beforeEach, expect, test } from "bun:test";
import {
	type Dimension,
	dimensions,
} from "../../src/contract/operator/usage.ts";
import { usageFlushCounts } from "../../src/limits.ts";
import { openStoreReader } from "../../src/store/open.ts";
import { levels, toParts } from "../../src/store/usage/levels.ts";
import {
	durationCount,
	startOf,
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
			at: start,
			key: "1",
			operation: "listPets",
			status: 200,
			durations: [requests, ...Array(durationCount - 1).fill(0)],
			requests,
			...given,
		};
	}

	/** As a service does. */
	async function addInParts(counts: readonly UsageCount[]): Promise<void> {
		for (let done = 0; done < counts.length; done += usageFlushCounts)
			await usage().add(counts.slice(done, done + usageFlushCounts));
	}

	function read(asked: Partial<UsageQuery> = {}) {
		return other().read({
			period: "minute",
			from: start,
			to: start + day,
			by: [],
			unit: undefined,
			limit: 100,
			...asked,
		});
	}

	test("adds a count to its minute, its hour and its day", async () => {
		const at = start + 5 * hour + 17 * minute + 3_000;
		const durations = Array.from({ length: durationCount }, (_, i) => i);
		await usage().add([count({ at, requests: 105, durations })]);
		const all = { operation: "listPets", key: "1", status: 200 };
		for (const [period, startsAt, group] of [
			["minute", start + 5 * hour + 17 * minute, all],
			["hour", start + 5 * hour, all],
			["day", start, { ...all, key: "" }],
			["day", start, { ...all, status: 0 }],
		] as const)
			expect(
				await read({
					period,
					by: dimensions.filter(
						(name) => group[name] !== "" && group[name] !== 0,
					),
					unit: period,
				}),
			).toEqual([
				{
					at: startsAt,
					firstAt: startsAt,
					lastAt: startsAt,
					...group,
					requests: 105,
					errors: 0,
					durations,
				},
			]);
	});

	test("sums a long range like its days, in every grouping", async () => {
		const first = Date.UTC(2020, 0, 7);
		const counts = Array.from({ length: 250 }, (_, index) =>
			count({
				at: first + index * 1.6 * day,
				key: `${index % 7}`,
				operation: index % 3 === 0 ? "getPet" : "listPets",
				status: index % 5 === 0 ? 404 : 200,
				requests: index,
			}),
		);
		await usage().add(counts);
		const groups: readonly (readonly Dimension[])[] = [
			[],
			["operation"],
			["key"],
			["status"],
			["operation", "key"],
			["operation", "status"],
		];
		for (const [from, to] of [
			[first, first + 400 * day],
			[first + 50 * day, first + 350 * day],
			[first + 99 * day, first + 111 * day + hour],
		] as const)
			for (const by of groups)
				for (const unit of [undefined, "day"] as const) {
					const asked = { period: "day", from, to, by, unit } as const;
					const sums = await read({ ...asked, limit: 10_000 });
					const expected = sumOf(counts, asked);
					const found = sums.map(
						({ at, operation, key, status, requests, errors }) =>
							[at, operation, key, status, requests, errors].join(" "),
					);
					expect(found.sort()).toEqual(expected.sort());
				}
		const [sum] = await read({
			period: "day",
			from: first,
			to: first + 400 * day,
			by: ["key"],
			operation: "getPet",
		});
		const own = counts.filter(
			({ key, operation }) => key === sum?.key && operation === "getPet",
		);
		expect(sum).toMatchObject({
			firstAt: startOf(own[0]?.at ?? 0, "day"),
			lastAt: startOf(own.at(-1)?.at ?? 0, "day"),
		});
	});

	test("sums all counts that two stores add at the same time", async () => {
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

	test("sums by the dimensions and the time unit of the query", async () => {
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
				.sort(
					(one, other) =>
						Number(one[4]) - Number(other[4]) ||
						Number(one[3]) - Number(other[3]),
				);
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

	test("includes the start of a range and excludes its end", async () => {
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

	test("sums exactly when it needs several steps for the rows", async () => {
		// 1,440 minutes with two operations, and one minute with many keys.
		const counts = Array.from({ length: 2_880 }, (_, index) =>
			count({
				at: start + Math.floor(index / 2) * minute,
				operation: index % 2 === 0 ? "listPets" : "createPet",
			}),
		);
		const many = Array.from({ length: 2_500 }, (_, key) =>
			count({ key: `${key + 2}` }),
		);
		await addInParts([...counts, ...many]);
		const sums = await read({ by: ["operation"] });
		expect(
			sums.map(({ operation, requests }) => [operation, requests]).sort(),
		).toEqual([
			["createPet", 1_440],
			["listPets", 3_940],
		]);
		const refused = await read({ unit: "minute", limit: 1_439 }).catch(
			(error) => error.message,
		);
		expect(refused).toStartWith("by must give at most 1,439 rows");
		expect(await read({ unit: "minute", limit: 1_440 })).toHaveLength(1_440);
	});

	test("deletes minutes after 48 hours, hours after 31 days, days after 400 days, and no others", async () => {
		const now = start;
		const ages = [
			...[400 * day + 26 * hour, 400 * day - hour, 32 * day],
			...[31 * day - hour, 49 * hour, 47 * hour],
		];
		await usage().add(ages.map((age) => count({ at: now - age, key: "old" })));
		await stores().store.cleanUp(now);
		const left = async (period: "minute" | "hour" | "day") => {
			const by: Dimension[] = ["key"];
			const asked = { period, from: 0, unit: period, by, limit: 10_000 };
			return (await read(asked))
				.filter(({ key }) => key === "old")
				.map(({ at }) => now - at)
				.sort((a, b) => b - a);
		};
		expect(await left("minute")).toEqual([47 * hour]);
		expect(await left("hour")).toEqual(ages.slice(3));
		expect(await left("day")).toEqual(
			ages.slice(1).map((age) => now - startOf(now - age, "day")),
		);
	});

	test("gives the same sums to a command that only reads", async () => {
		await usage().add([count({ requests: 3 })]);
		const reader = await openStoreReader(stores().url);
		const asked = { from: start, to: start + day, unit: undefined, limit: 10 };
		expect(
			await reader.usage.read({ ...asked, period: "hour", by: ["key"] }),
		).toMatchObject([{ key: "1", requests: 3 }]);
		await reader.close();
	});
});

test("reads few rows for each key and operation, however long the range is", () => {
	for (let shift = 0; shift < 16; shift++) {
		const to = Date.UTC(2027, 0, 1) + shift * day;
		const asked = { period: "day", from: to - 400 * day, to } as const;
		const parts = toParts({
			...asked,
			by: ["operation", "key"],
			unit: undefined,
			limit: 1,
		});
		const slots = parts.map(({ from, to, level }) =>
			Math.ceil((to - from) / level.ms),
		);
		expect(slots.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(
			55,
		);
	}
	expect(new Set(levels.map(({ name }) => name)).size).toBe(levels.length);
});

/** The sums of the counts by hand, as text. */
function sumOf(
	counts: readonly UsageCount[],
	{ from, to, by, unit }: Pick<UsageQuery, "from" | "to" | "by" | "unit">,
): string[] {
	const sums = new Map<string, [requests: number, errors: number]>();
	for (const { at, key, operation, status, requests } of counts) {
		if (at < from || startOf(at, "day") >= to) continue;
		const name = [
			unit === undefined ? 0 : startOf(at, unit),
			by.includes("operation") ? operation : "",
			by.includes("key") ? key : "",
			by.includes("status") ? status : 0,
		].join(" ");
		const [all, errors] = sums.get(name) ?? [0, 0];
		sums.set(name, [all + requests, errors + (status < 400 ? 0 : requests)]);
	}
	return [...sums].map(([name, [all, errors]]) => `${name} ${all} ${errors}`);
}
