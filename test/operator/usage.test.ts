// GET /operator/v1/usage: what it counts, its parameters, and its rows.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	durationCount,
	startOf,
	type UsageCount,
} from "../../src/store/usage.ts";
import {
	add,
	expectError,
	openService,
	type Service,
	startMs,
} from "../service.ts";

const apiKey = "a-key-known-to-the-tests";
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe.each(["sqlite", "postgres"] as const)("%s", (engine) => {
	let service: Service;
	let operatorKey: string;
	beforeAll(async () => {
		service = await openService("in process", { engine, apiKey });
		operatorKey = await service.makeKey({ scope: "operator" });
	}, startMs);
	afterAll(() => service.close());

	function ask(query: string, key = operatorKey): Promise<Response> {
		const url = `${service.url}/operator/v1/usage${query}`;
		const headers = { Authorization: `Bearer ${key}` };
		return service.send(new Request(url, { headers }));
	}

	async function readRows(query: string): Promise<Record<string, unknown>[]> {
		const response = await ask(query);
		expect(response.status).toBe(200);
		return (await response.json()).rows;
	}

	describe("What usage counts", () => {
		test("counts a request at once, by operation, status and key", async () => {
			const { call, makeKey, store } = service;
			const readKey = `Bearer ${await makeKey({ scope: "read" })}`;
			const id = (await store.keys.list()).at(-1)?.id;
			await add(service, '{"name":"Rex","categoryId":1}');
			for (const [path, authorization] of [
				["/v1/pets", readKey],
				["/v1/pets?limit=3", readKey],
				["/v1/pets?limit=0", readKey],
				["/v1/pets/1", `Bearer ${apiKey}`],
				["/v1/pets/99", `Bearer ${apiKey}`],
				["/v1/pets", null],
				["/v1/pets", "Bearer wrong"],
				["/v1/nothing", readKey],
				["/healthz", null],
			] as const)
				await call(path, { authorization });
			await call("/v1/pets", { method: "HEAD", authorization: readKey });
			await call("/v1/pets", { method: "OPTIONS" });
			await call("/v1/pets", { method: "DELETE", authorization: readKey });

			const rows = await readRows("?by=operation,status,key");
			const times = { p50Ms: expect.any(Number), p99Ms: expect.any(Number) };
			const list = { operation: "listPets", ...times };
			const get = { operation: "getPet", key: "PETSTORE_API_KEY", ...times };
			expect(rows).toEqual([
				{ ...times, operation: "createPet", key: 1, status: 201, ...of(1, 0) },
				{ ...get, status: 200, ...of(1, 0) },
				{ ...get, status: 404, ...of(1, 1) },
				{ ...list, status: 401, ...of(2, 2) },
				{ ...list, key: id, status: 200, ...of(3, 0) },
				{ ...list, key: id, status: 400, ...of(1, 1) },
			]);
			expect(await readRows("?by=operation,status")).toContainEqual({
				...times,
				operation: "readUsage",
				status: 200,
				...of(1, 0),
			});
		});

		test("stores no path, no query and no text of a key", async () => {
			const { call, store, makeKey } = service;
			const key = await makeKey({ scope: "read" });
			await call("/v1/pets?cursor=secret-query", {
				authorization: `Bearer ${key}`,
			});
			await call("/v1/pets/secret-path");
			await readRows("");
			const sums = await store.usage.read({
				period: "minute",
				from: 0,
				to: Date.now() + day,
				by: ["key", "operation", "status"],
				unit: "minute",
				limit: 999,
			});
			expect(sums.length).toBeGreaterThan(2);
			const texts = sums.flatMap((sum) => [sum.key, sum.operation]);
			for (const text of texts)
				expect(text).toMatch(/^(\d+||PETSTORE_API_KEY|[a-z]+[A-Z][a-z]+)$/);
		});
	});

	/** The minute of the stored counts, long before the requests of the other tests. */
	const past = startOf(Date.now(), "day") - 10 * day;

	function count(given: Partial<UsageCount>): UsageCount {
		const { requests = 1 } = given;
		return {
			at: past,
			key: "1",
			operation: "listPets",
			status: 200,
			durations: [requests, ...Array(durationCount - 1).fill(0)],
			requests,
			...given,
		};
	}

	const range = (from: number, to: number) =>
		`from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;

	test("sorts rows by time, operation, key and status", async () => {
		await service.store.usage.add(
			["PETSTORE_API_KEY", "10", "9", ""].flatMap((key) =>
				["listPets", "getPet"].flatMap((operation) =>
					[404, 200].flatMap((status) =>
						[past + 2 * hour, past].map((at) =>
							count({ at, key, operation, status }),
						),
					),
				),
			),
		);
		const rows = await readRows(
			`?${range(past, past + day)}&by=status,key,hour,operation`,
		);
		expect(
			rows.map(({ hour, operation, key, status }) =>
				[hour, operation, key, status].join(" "),
			),
		).toEqual(
			[past, past + 2 * hour].flatMap((at) =>
				["getPet", "listPets"].flatMap((operation) =>
					["", "9", "10", "PETSTORE_API_KEY"].flatMap((key) =>
						[200, 404].map(
							(status) =>
								`${new Date(at).toISOString()} ${operation} ${key} ${status}`,
						),
					),
				),
			),
		);
		const [first] = await readRows(`?${range(past, past + day)}&by=day`);
		expect(first).toMatchObject({
			day: new Date(past).toISOString(),
			...of(32, 16),
		});
	});

	test("estimates the quantiles within the buckets of the durations", async () => {
		const at = past - 5 * day;
		const durations = Array(durationCount).fill(0);
		durations[0] = 50;
		durations[2] = 40;
		durations[durationCount - 1] = 10;
		await service.store.usage.add([count({ at, requests: 100, durations })]);
		expect(await readRows(`?${range(at, at + hour)}`)).toEqual([
			{ ...of(100, 0), p50Ms: 0.5, p99Ms: 10_000 },
		]);
		expect(await readRows(`?${range(at - 2 * hour, at)}`)).toEqual([]);
	});

	describe("Reading the usage", () => {
		test("reads a short range exactly to the minute, a longer one to the hour, a long one to the day", async () => {
			const at = startOf(Date.now(), "hour") - 12 * hour;
			await service.store.usage.add([
				count({ at: at + 10 * minute, operation: "a" }),
				count({ at: at + 20 * minute, operation: "b" }),
			]);
			const operations = async (from: number, to: number) =>
				(await readRows(`?${range(from, to)}&by=operation`)).map(
					({ operation }) => operation,
				);
			expect(await operations(at + 15 * minute, at + hour)).toEqual(["b"]);
			expect(await operations(at + 10 * minute, at + 20 * minute)).toEqual([
				"a",
			]);
			expect(await operations(at + 15 * minute, at + 7 * hour)).toEqual([
				"a",
				"b",
			]);
			const noon = startOf(Date.now(), "day") - 3 * day + 12 * hour;
			await service.store.usage.add([
				count({ at: noon - hour, operation: "c" }),
				count({ at: noon + hour, operation: "d" }),
			]);
			expect(await operations(noon, noon + 2 * hour)).toEqual(["d"]);
			expect(await operations(noon, noon + 50 * hour)).toEqual(
				expect.arrayContaining(["c", "d"]),
			);
			const withStatus = await readRows(
				`?${range(noon, noon + 50 * hour)}&by=operation,key,status`,
			);
			const seen = withStatus.map(({ operation }) => operation);
			expect([seen.includes("c"), seen.includes("d")]).toEqual([false, true]);
			const minutes = await readRows(`?${range(at, at + hour)}&by=minute`);
			expect(minutes.map((row) => row.minute)).toEqual([
				new Date(at + 10 * minute).toISOString(),
				new Date(at + 20 * minute).toISOString(),
			]);
		});
	});

	// The tests of the store show on both engines that it returns no more rows than the limit.
	test.if(engine === "sqlite")(
		"answers 400 to more than 10,000 rows, and says what to do",
		async () => {
			const at = past - 20 * day;
			const keys = Array.from({ length: 10_001 }, (_, index) => `${index}`);
			for (let start = 0; start < keys.length; start += 1_000)
				await service.store.usage.add(
					keys.slice(start, start + 1_000).map((key) => count({ at, key })),
				);
			await expectError(
				await ask(`?${range(at, at + hour)}&by=key`),
				"invalid_parameter",
				/^by must give at most 10,000 rows in this range; name fewer groups, or shorten the range\.$/,
			);
			expect(await readRows(`?${range(at, at + hour)}`)).toMatchObject([
				{ requests: 10_001 },
			]);
		},
	);

	test.each([
		["by=color", /^by must be one or more of operation, key, status, minute/],
		["by=", /^by must be one or more/],
		["by=key,key", /^by must be one or more/],
		["by=hour,day", /^by must have at most one of minute, hour and day\.$/],
		["by=key&by=hour", /^by must not be given more than once\.$/],
		[
			"from=yesterday",
			/^from must be a time of RFC 3339 with an offset, before/,
		],
		["to=2026-02-30T00:00:00Z", /^to must be a time of RFC 3339/],
		["to=2026-02-01", /^to must be a time of RFC 3339/],
		["to=2026-02-01%2000:00:00Z", /^to must be a time of RFC 3339/],
		["to=2026-02-01T25:00:00Z", /^to must be a time of RFC 3339/],
		[
			"from=2026-02-02T00:00:00Z&to=2026-02-01T23:00:00-01:00",
			/^from must be before to\.$/,
		],
		[
			"from=2024-01-01T00:00:00Z&to=2026-01-01T00:00:00Z",
			/^from must be at most 400 days before to\.$/,
		],
		[
			"from=2026-01-01T00:00:00Z&to=2026-01-01T01:00:00Z&by=minute",
			/^by must not have minute if from is more than 48 hours ago: that is kept for 48 hours\.$/,
		],
		[
			"from=2026-01-01T00:00:00Z&to=2026-01-01T01:00:00Z&by=hour",
			/^by must not have hour if from is more than 31 days ago: that is kept for 31 days\.$/,
		],
		[
			"from=2026-01-01T00:00:00Z&to=2026-01-01T01:00:00Z&by=key,status",
			/^by must not have key together with status if from is more than 31 days ago/,
		],
	])("refuses ?%s, and names the rule", async (query, message) => {
		await expectError(await ask(`?${query}`), "invalid_parameter", message);
	});

	test.each(["read", "read-write", "metrics"] as const)(
		"answers 403 to a key with the scope %s",
		async (scope) => {
			const key = await service.makeKey({ scope });
			await expectError(await ask("", key), "forbidden", /needs the scope/);
		},
	);
});

function of(requests: number, errors: number) {
	return { requests, errors };
}
