// `petstore usage`: its tables, its JSON, and who still calls a deprecated operation.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openStore } from "../../src/store/open.ts";
import { durationCount, type UsageCount } from "../../src/store/usage.ts";
import { nowWithinDay } from "../harness/day.ts";
import { makeKey } from "../harness/key.ts";
import { createDatabase } from "../harness/postgres/server.ts";
import { run } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { startMs } from "../service.ts";

const day = 86_400_000;
const now = await nowWithinDay();

describe.each(["sqlite", "postgres"] as const)("%s", (engine) => {
	let folder: ReturnType<typeof temporaryFolder>;
	let database: { url: string; remove: () => void | Promise<void> };
	beforeAll(async () => {
		folder = temporaryFolder();
		database =
			engine === "postgres"
				? await createDatabase()
				: { url: `sqlite:${folder.path}/petstore.db`, remove() {} };
		const store = await openStore(database.url, { create: true });
		const { record } = makeKey({
			name: "a shop with a name that is very long",
		});
		await store.keys.add(record);
		await store.usage.add([
			count({ key: "1", requests: 30 }),
			count({
				key: "1",
				requests: 10,
				at: now - 10 * day,
				operation: "getPet",
			}),
			count({ key: "1", requests: 10, at: now - 2 * day, operation: "getPet" }),
			count({
				key: "PETSTORE_API_KEY",
				requests: 5,
				status: 404,
				operation: "getPet",
			}),
			count({ key: "", requests: 2, status: 401 }),
		]);
		await store.close();
	}, startMs);
	afterAll(async () => {
		await database.remove();
		folder.remove();
	});

	const usage = (...args: string[]) =>
		run(["usage", "--database", database.url, ...args], { cwd: folder.path });

	async function lines(...args: string[]): Promise<string[]> {
		const { status, stdout, stderr } = await usage(...args);
		expect([status, stderr]).toEqual([0, ""]);
		for (const line of stdout.split("\n"))
			expect(line.length).toBeLessThanOrEqual(80);
		return stdout.trimEnd().split("\n");
	}

	test("shows the operations with their requests, errors and quantiles", async () => {
		expect(await lines()).toEqual([
			"OPERATION  REQUESTS  ERRORS  P50 MS  P99 MS",
			"getPet           25       5    0.25   0.495  ████████",
			"listPets         32       2    0.25   0.495  ██████████",
		]);
	});

	test("shows the keys by number and name, and the days", async () => {
		expect(
			(await lines("--by", "key")).map((line) => line.slice(0, 40)),
		).toEqual([
			"KEY  NAME              REQUESTS  ERRORS ",
			"     (no valid key)           2       2 ",
			"  1  a shop with a n…        50       0 ",
			"     PETSTORE_API_KEY         5       5 ",
		]);
		const days = await lines("--by", "day", "--from", "3d");
		expect(days).toHaveLength(3);
		expect(days[1]).toStartWith(
			new Date(now - 2 * day).toISOString().slice(0, 10),
		);
	});

	test("--json prints what the operator interface answers", async () => {
		const { stdout } = await usage("--by", "key", "--json", "--from", "1d");
		const times = { p50Ms: 0.25, p99Ms: 0.495 };
		expect(JSON.parse(stdout)).toEqual({
			rows: [
				{ requests: 2, errors: 2, ...times },
				{ key: 1, requests: 30, errors: 0, ...times },
				{ key: "PETSTORE_API_KEY", requests: 5, errors: 5, ...times },
			],
		});
	});

	describe("Who still calls getPet", () => {
		test("--deprecated shows each key with its calls a day, first and last use, and the days left", async () => {
			const { status, stdout, stderr } = await usage("--deprecated");
			expect(status).toBe(0);
			const left = Math.ceil((Date.UTC(2030, 11, 5) - Date.now()) / day);
			expect(stderr).toBe(
				`getPet is to be removed on 2030-12-05, in ${left.toLocaleString("en")} days.\n`,
			);
			const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
			expect(stdout.trimEnd().split("\n")).toEqual([
				"KEY  NAME              CALLS  A DAY  FIRST       LAST",
				`     PETSTORE_API_KEY      5      5  ${dayOf(now)}  ${dayOf(now)}`,
				`  1  a shop with a n…     20      2  ${dayOf(now - 10 * day)}  ${dayOf(now - 2 * day)}`,
			]);
		});

		test("--deprecated --json prints the same for programs", async () => {
			const { stdout } = await usage("--deprecated", "--json");
			expect(JSON.parse(stdout)).toMatchObject({
				operations: [
					{
						operation: "getPet",
						sunset: "2030-12-05T00:00:00.000Z",
						callers: [
							{ key: "PETSTORE_API_KEY", requests: 5, requestsPerDay: 5 },
							{
								key: 1,
								name: "a shop with a name that is very long",
								requests: 20,
							},
						],
					},
				],
			});
		});
	});
});

test.each([
	[["--by", "color"], /Allowed choices are operation, key, day/],
	[["--from", "yesterday"], /It must be a duration like 30d/],
	[["--from", "1d", "--to", "2d"], /from must be before to/],
	[["--deprecated", "--by", "key"], /cannot be used with option/],
])("refuses petstore usage %p with a sentence", async (args, message) => {
	const folder = temporaryFolder();
	const database = `sqlite:${folder.path}/petstore.db`;
	const store = await openStore(database, { create: true });
	await store.close();
	const { status, stdout, stderr } = await run(
		["usage", "--database", database, ...args],
		{ cwd: folder.path },
	);
	expect(stdout).toBe("");
	expect(status).toBe(2);
	expect(stderr).toMatch(message);
	folder.remove();
});

function count(given: Partial<UsageCount>): UsageCount {
	const { requests = 1 } = given;
	return {
		at: now,
		key: "1",
		operation: "listPets",
		status: 200,
		durations: [requests, ...Array(durationCount - 1).fill(0)],
		requests,
		...given,
	};
}
