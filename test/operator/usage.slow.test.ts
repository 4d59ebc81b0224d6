// Usage of many keys over the whole time that it is kept: every read is in time.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { operatorAnswerMs } from "../../src/limits.ts";
import { openPetstore, type Petstore } from "../../src/petstore.ts";
import { openStore } from "../../src/store/open.ts";
import { type Level, levels } from "../../src/store/usage/levels.ts";
import { startOf } from "../../src/store/usage.ts";
import { makeKey } from "../harness/key.ts";
import { silentLog } from "../harness/log.ts";
import {
	type Database,
	engines,
	executeOn,
	newDatabase,
} from "../store/engines.ts";

const day = 86_400_000;
const today = startOf(Date.now(), "day");
const [keys, operations, statuses] = [50, 10, 10];
/** Every key gets every status of every operation once a day. */
const perDay = keys * operations * statuses;
/** Neither end of the range is an end of a row of several days. */
const days = 397;
const from = today - days * day;

describe.each(engines)("%s", (engine) => {
	let database: Database;
	let petstore: Petstore;
	const { key, record } = makeKey({ scope: "operator" });
	beforeAll(async () => {
		database = await newDatabase(engine);
		const store = await openStore(database.url, { create: true });
		await store.keys.add(record);
		await store.close();
		await executeOn(engine, database.url, (schema) => [
			...levels
				.filter(({ ms }) => ms >= day)
				.map((level) => toFill(`${schema}usage`, level)),
			...toHours(`${schema}usage`),
			// PostgreSQL analyzes the table itself after some time.
			...(engine === "postgres" ? [`ANALYZE ${schema}usage`] : []),
		]);
		petstore = await openPetstore({
			database: database.url,
			log: { to: silentLog },
		});
	}, 120_000);
	afterAll(async () => {
		await petstore.stop();
		await database.remove();
	}, 60_000);

	async function read(by: string, from: number) {
		const range = { from: toText(from), to: toText(today) };
		const query = new URLSearchParams({ ...(by && { by }), ...range });
		const request = new Request(`http://x/operator/v1/usage?${query}`, {
			headers: { Authorization: `Bearer ${key}` },
		});
		const start = performance.now();
		const reply = await petstore.fetch(request);
		const { rows = [] } = await reply.json();
		return { status: reply.status, rows, ms: performance.now() - start };
	}

	describe("Reading the usage", () => {
		test.each([
			["", 1],
			["key", keys],
			["operation", operations],
			["status", statuses],
			["operation,status", operations * statuses],
			["operation,key", operations * keys],
			["day", days],
			["operation,day", operations * days],
			["status,day", statuses * days],
		])("answers by=%s in time", async (by, count) => {
			const { status, rows, ms } = await read(by, from);
			expect([status, rows.length]).toEqual([200, count]);
			let requests = 0;
			for (const row of rows) requests += row.requests;
			expect(requests).toBe(perDay * days);
			expect(ms).toBeLessThan(operatorAnswerMs);
		});

		test("answers by=key,day in time for as many days as fit into a reply", async () => {
			const { status, rows, ms } = await read("key,day", today - 200 * day);
			expect([status, rows.length]).toEqual([200, 200 * keys]);
			expect(ms).toBeLessThan(operatorAnswerMs);
		});

		test.each(["key,status", "key,operation,status", "status,hour"])(
			"answers by=%s of many hours with 200 or 400, and never fails",
			async (by) => {
				for (const days of [23, 30]) {
					const { status } = await read(by, today - days * day);
					expect(days === 30 ? [400] : [200, 400]).toContain(status);
				}
			},
		);
	});
});

function toText(time: number): string {
	return new Date(time).toISOString();
}

/** Every key has two statuses of five operations in each hour of the last 30 days: more than one read sums. */
function toHours(table: string): readonly string[] {
	const requests = `1, 1${", 0".repeat(14)}`;
	return Array.from({ length: 30 }, (_, index) => {
		const start = today - (index + 1) * day;
		const hours = Array.from(
			{ length: 24 },
			(_, hour) => start + hour * 3_600_000,
		);
		return `WITH hours(at) AS (VALUES ${hours.map((at) => `(CAST(${at} AS BIGINT))`).join(", ")}),
				statuses(status) AS (VALUES (200), (404)), operations(n) AS (VALUES (1), (2), (3), (4), (5)),
				keys(n) AS (VALUES ${Array.from({ length: keys }, (_, key) => `(${key + 1})`).join(", ")})
			INSERT INTO ${table} SELECT '1 hour', at, CAST(keys.n AS TEXT), 'operation' || operations.n, status, ${requests}
			FROM hours, keys, operations, statuses`;
	});
}

/** Inserts the rows of a level for the counts of these days. */
function toFill(table: string, { name, ms, dimensions }: Level): string {
	const numbers = (name: string, first: number, count: number) =>
		`${name}(n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM ${name} WHERE n < ${first + count - 1})`;
	const hasKey = dimensions.includes("key");
	const hasStatus = dimensions.includes("status");
	const first = Math.floor(from / ms);
	const requests =
		(ms / day) * (hasKey ? 1 : keys) * (hasStatus ? 1 : statuses / 2);
	return `WITH RECURSIVE ${numbers("times", first, Math.ceil(today / ms) - first)}, ${numbers("keys", 1, hasKey ? keys : 1)},
			${numbers("operations", 1, operations)}, ${numbers("statuses", 0, hasStatus ? statuses : 2)}
		INSERT INTO ${table} SELECT '${name}', ${ms} * CAST(times.n AS BIGINT), ${hasKey ? "CAST(keys.n AS TEXT)" : "''"}, 'operation' || operations.n,
			${hasStatus ? "200 + 40 * statuses.n" : "400 * statuses.n"}, ${requests}, ${requests}${", 0".repeat(14)}
		FROM times, keys, operations, statuses`;
}
