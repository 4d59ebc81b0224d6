// /metrics: who may read them, their text, and their numbers.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	hasPromtool,
	runPromtool,
	sumOf,
	toSamples,
} from "../harness/prometheus.ts";
import {
	add,
	expectError,
	openService,
	type Service,
	startMs,
} from "../service.ts";

describe.each(["sqlite", "postgres"] as const)("%s", (engine) => {
	let service: Service;
	let key: string;
	beforeAll(async () => {
		service = await openService("over a socket", { engine });
		key = await service.makeKey({ scope: "metrics" });
	}, startMs);
	afterAll(() => service.close());

	function ask(
		authorization: string | undefined = `Bearer ${key}`,
		init: RequestInit = {},
	): Promise<Response> {
		const headers = {
			...(authorization !== "" && { Authorization: authorization }),
			...init.headers,
		};
		return service.send(
			new Request(`${service.url}/metrics`, { ...init, headers }),
		);
	}

	async function read() {
		const response = await ask();
		expect(response.status).toBe(200);
		return toSamples(await response.text());
	}

	describe("Access to the metrics", () => {
		test.each(["metrics", "operator"] as const)(
			"answers a key with the scope %s",
			async (scope) => {
				const other = await service.makeKey({ scope });
				const response = await ask(`Bearer ${other}`);
				expect(response.status).toBe(200);
				expect(response.headers.get("Content-Type")).toBe(
					"text/plain; version=0.0.4; charset=utf-8",
				);
				expect(response.headers.get("Cache-Control")).toBe("no-store");
			},
		);

		test.each(["read", "read-write"] as const)(
			"answers 403 to a key with the scope %s",
			async (scope) => {
				const other = await service.makeKey({ scope });
				await expectError(await ask(`Bearer ${other}`), "forbidden", /metrics/);
			},
		);

		test("answers 401 without a valid key", async () => {
			await expectError(await ask(""), "unauthenticated");
			await expectError(await ask("Bearer x"), "unauthenticated");
		});

		test("answers 403 to a key with the scope metrics at other paths", async () => {
			for (const path of ["/v1/pets", "/operator/v1/status"]) {
				const headers = { Authorization: `Bearer ${key}` };
				const request = new Request(service.url + path, { headers });
				await expectError(await service.send(request), "forbidden");
			}
		});

		test("lets no script of another origin read them", async () => {
			const headers = { Origin: "https://example.com" };
			const preflight = await ask("", { method: "OPTIONS", headers });
			const reply = await ask(undefined, { headers });
			for (const response of [preflight, reply])
				expect([...response.headers.keys()].join()).not.toContain(
					"allow-origin",
				);
		});
	});

	describe("What the metrics count", () => {
		const requests = "petstore_request_duration_seconds_count";

		test("counts every request once, by operation and status", async () => {
			const before = await read();
			for (const path of ["/v1/pets", "/v1/pets?limit=3", "/v1/pets?limit=0"])
				await service.call(path);
			for (const path of ["/v1/pets/777", "/v1/pets/778"])
				await service.call(path);
			await service.call("/v1/pets", { method: "HEAD" });
			for (const path of ["/no/such/path", "/v1/secret"])
				await service.call(path);
			const after = await read();
			const risen = (operation: string, status: number) => {
				const labels = `{operation="${operation}",status="${status}"}`;
				return (
					sumOf(after, requests + labels) - sumOf(before, requests + labels)
				);
			};
			// With the HEAD.
			expect(risen("listPets", 200)).toBe(3);
			expect(risen("listPets", 400)).toBe(1);
			expect(risen("getPet", 404)).toBe(2);
			expect(risen("other", 404)).toBe(2);
			// A scrape counts in the next one.
			expect(risen("other", 200)).toBe(1);
			expect([...after.keys()].join()).not.toMatch(/secret|such|777/);
		});

		test("shows cumulative buckets of a histogram, with the count in the last", async () => {
			await service.call("/v1/pets");
			const samples = await read();
			const labels = 'operation="listPets",status="200"';
			const counts = [...samples]
				.filter(
					([name]) => name.includes("_seconds_bucket") && name.includes(labels),
				)
				.map(([, count]) => count);
			expect(counts).toHaveLength(15);
			expect(counts).toEqual(counts.toSorted((one, other) => one - other));
			expect(counts.at(-1)).toBe(samples.get(`${requests}{${labels}}`) ?? -1);
			const sum = samples.get(`${requests.replace("count", "sum")}{${labels}}`);
			expect(sum).toBeGreaterThan(0);
		});

		test("counts adds and lookups in the page cache", async () => {
			const before = await read();
			const headers = {
				"Idempotency-Key": `metrics ${engine}`.replace(" ", ""),
			};
			for (let time = 0; time < 2; time++) await postRex(headers);
			await add(service, '{"name":"Max","categoryId":1}');
			for (let time = 0; time < 3; time++)
				await service.call("/v1/pets?limit=7");
			const after = await read();
			const risen = (start: string) =>
				sumOf(after, start) - sumOf(before, start);
			expect(risen('petstore_adds_total{outcome="added"}')).toBe(2);
			expect(risen('petstore_adds_total{outcome="replayed"}')).toBe(1);
			expect(risen('petstore_page_cache_lookups_total{result="miss"}')).toBe(1);
			expect(risen('petstore_page_cache_lookups_total{result="hit"}')).toBe(2);
			expect(sumOf(after, "petstore_store_waiting_requests")).toBe(0);
			expect(sumOf(after, "process_resident_memory_bytes")).toBeGreaterThan(
				1e6,
			);
			expect(sumOf(after, "process_cpu_seconds_total")).toBeGreaterThan(0);
			expect(sumOf(after, "petstore_build_info", 'version="')).toBe(1);
		});

		async function postRex(headers: Record<string, string>): Promise<void> {
			const body = '{"name":"Rex","categoryId":1}';
			await service.call("/v1/pets", { method: "POST", body, headers });
		}
	});

	test.if(hasPromtool)("passes promtool", async () => {
		const text = await (await ask()).text();
		expect(runPromtool(["check", "metrics"], text)).toBe("");
	});
});

if (!hasPromtool)
	console.error(
		"promtool is not installed: the tests that check with it are skipped",
	);
