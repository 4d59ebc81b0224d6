// The callers of the deprecated operation, which the console sums from the usage of days.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parseExactly } from "../../../src/client/json.ts";
import type { Petstore } from "../../../src/petstore.ts";
import { durationCount, startOf } from "../../../src/store/usage.ts";
import { toApiError } from "../../../src/web/console/api/error.ts";
import { createUsage } from "../../../src/web/console/api/usage.ts";
import { periods } from "../../../src/web/console/charts/periods.ts";
import { toCallers } from "../../../src/web/console/traffic/tables.tsx";
import { nowWithinDay } from "../../harness/day.ts";
import { openQuietly } from "../../operator/calls.ts";

const day = 86_400_000;
const now = await nowWithinDay();
const today = startOf(now, "day");
const from = today - 29 * day;
const by = ["operation", "key", "day"] as const;

/** Between two slices of a sum, the test runner's event loop sleeps until a timer wakes it. */
const awake = setInterval(() => {}, 1);
let service: Petstore;
beforeAll(async () => {
	service = await openQuietly({
		database: "sqlite::memory:",
		sandbox: { pets: 1, seed: 1 },
	});
});
afterAll(async () => {
	await service.stop();
	clearInterval(awake);
});

const paths: string[] = [];
const readUsage = createUsage({
	async read(path) {
		paths.push(path);
		const reply = await fetch(`${service.url}/operator/v1${path}`, {
			headers: { Authorization: "Bearer sandbox" },
		});
		const body = parseExactly(await reply.text());
		if (!reply.ok) throw toApiError(body, "");
		return body;
	},
});

const addUsage = (at: number, keys: readonly string[], operation = "getPet") =>
	service.store.usage.add(
		keys.map((key) => ({
			at,
			key,
			operation,
			status: 200,
			requests: 6,
			durations: Array.from({ length: durationCount }, () => 0),
		})),
	);

describe("Who still calls getPet", () => {
	test("shows first use, last use and calls a day, even of callers without a key", async () => {
		await addUsage(today - 10 * day, ["partner", ""]);
		await addUsage(today - 4 * day, ["partner"]);
		await addUsage(today - 2 * day, ["partner"], "listPets");
		const rows = await readUsage(periods.month, by);
		const first = today - 10 * day;
		const days = (now - first) / day;
		expect(toCallers(rows, "getPet", now)).toEqual([
			{
				first,
				key: "partner",
				requests: 12,
				last: today - 4 * day,
				requestsPerDay: 12 / days,
			},
			{
				first,
				key: undefined,
				requests: 6,
				last: first,
				requestsPerDay: 6 / days,
			},
		]);
	});

	test("counts only today's calls of a new caller", async () => {
		await addUsage(today, ["new"]);
		const callers = toCallers(
			await readUsage(periods.month, by),
			"getPet",
			now,
		);
		const caller = callers.find(({ key }) => key === "new");
		expect(caller).toMatchObject({ requestsPerDay: 6, first: today });
	});

	test("reads usage in several replies if it does not fit into one", async () => {
		const keys = Array.from({ length: 400 }, (_, index) => `${index + 1}`);
		for (let at = from; at <= today; at += day) await addUsage(at, keys);
		paths.length = 0;
		const callers = toCallers(
			await readUsage(periods.month, by),
			"getPet",
			now,
		);
		expect(paths).toHaveLength(3);
		const stored = callers.filter(({ key = "" }) => keys.includes(key));
		expect(stored).toHaveLength(400);
		for (const { requests, first, last } of stored)
			expect([requests, first, last]).toEqual([180, from, today]);
	});
});
