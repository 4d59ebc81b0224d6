// /metrics: who may read them, their text, and their numbers.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { keyScopes } from "../../src/domain/access/key-scope.ts";
import { sumOf, toSamples } from "../harness/prometheus.ts";
import { add, openService, type Service } from "../service.ts";

describe("Metrics", () => {
	let service: Service;
	let key: string;
	beforeAll(async () => {
		service = await openService("over a socket");
		key = await service.makeKey({ scope: "metrics" });
	});
	afterAll(() => service.close());

	const ask = (authorization: string | null, init: RequestInit = {}) =>
		service.send(
			new Request(`${service.url}/metrics`, {
				...init,
				headers: {
					...(authorization !== null && { Authorization: authorization }),
					...init.headers,
				},
			}),
		);
	const readText = async () => {
		const response = await ask(`Bearer ${key}`);
		expect(response.status).toBe(200);
		expect(Object.fromEntries(response.headers)).toMatchObject({
			"content-type": "text/plain; version=0.0.4; charset=utf-8",
			"cache-control": "no-store",
		});
		return response.text();
	};
	const read = async () => toSamples(await readText());

	test("answers keys with the scopes metrics and operator, to no script of another origin", async () => {
		const statuses: Record<string, number> = {};
		for (const scope of keyScopes) {
			const other = await service.makeKey({ scope });
			statuses[scope] = (await ask(`Bearer ${other}`)).status;
		}
		expect(statuses).toEqual({
			...{ metrics: 200, operator: 200, read: 403, "read-write": 403 },
		});
		expect((await ask(null)).status).toBe(401);
		for (const path of ["/v1/pets", "/operator/v1/status"]) {
			const headers = { Authorization: `Bearer ${key}` };
			const request = new Request(service.url + path, { headers });
			expect((await service.send(request)).status).toBe(403);
		}
		const headers = { Origin: "https://example.com" };
		for (const response of [
			await ask(null, { method: "OPTIONS", headers }),
			await ask(`Bearer ${key}`, { headers }),
		])
			expect(response.headers.has("Access-Control-Allow-Origin")).toBe(false);
	});

	const requests = "petstore_request_duration_seconds_count";

	test("counts every request once, by operation and status", async () => {
		const before = await read();
		for (const path of [
			...["/v1/pets", "/v1/pets?limit=3", "/v1/pets?limit=0"],
			...["/v1/pets/777", "/v1/pets/778", "/no/such/path", "/v1/secret"],
		])
			await service.call(path);
		await service.call("/v1/pets", { method: "HEAD" });
		const after = await read();
		const risen = (operation: string, status: number) => {
			const name = `${requests}{operation="${operation}",status="${status}"}`;
			return sumOf(after, name) - sumOf(before, name);
		};
		// With the HEAD.
		expect(risen("listPets", 200)).toBe(3);
		expect(risen("listPets", 400)).toBe(1);
		expect(risen("getPet", 404)).toBe(2);
		expect(risen("other", 404)).toBe(2);
		// A scrape counts in the next one.
		expect(risen("other", 200)).toBe(1);
		// The buckets are cumulative.
		const all = after.get(
			'petstore_request_duration_seconds_bucket{operation="getPet",status="404",le="+Inf"}',
		);
		expect(all).toBe(
			sumOf(after, `${requests}{operation="getPet",status="404"}`),
		);
		expect([...after.keys()].join()).not.toMatch(/secret|such|777/);
	});

	test("counts adds", async () => {
		const before = await read();
		const headers = { "Idempotency-Key": "k" };
		for (let time = 0; time < 2; time++)
			await add(service, '{"name":"Rex","categoryId":1}', headers);
		const after = await read();
		const risen = (start: string) => sumOf(after, start) - sumOf(before, start);
		expect(risen('petstore_adds_total{outcome="added"}')).toBe(1);
		expect(risen('petstore_adds_total{outcome="replayed"}')).toBe(1);
		expect(sumOf(after, "petstore_waiting_adds")).toBe(0);
		expect(sumOf(after, "process_resident_memory_bytes")).toBeGreaterThan(1e6);
		expect(sumOf(after, "process_cpu_seconds_total")).toBeGreaterThan(0);
		expect(sumOf(after, "petstore_build_info", 'version="')).toBe(1);
	});
});
