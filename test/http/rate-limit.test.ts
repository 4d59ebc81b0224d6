// The rate limit: exact to one request with the test's own clock, and its replies.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Failure } from "../../src/domain/errors.ts";
import {
	createRateLimiter,
	type Rate,
	toRate,
} from "../../src/http/rate-limit.ts";
import { expectError, openService, type Service } from "../service.ts";

const newPet = '{"name":"Rex","categoryId":1}';

describe("Rate limits", () => {
	test.each(["7/s", "600/m"])(
		"accepts %s at once for each key, and sends in Retry-After the first whole second after which it accepts a request",
		(text) => {
			const { requests } = rateOf(text);
			const { ask, pass, retryAfter } = open(text);
			for (const key of ["a", "b"])
				expect(times(requests + 9, () => ask(key))).toBe(requests);
			for (let round = 0; round < 1_000; round++) {
				// Bounded, so that the test fails and does not hang if nothing is refused.
				for (let left = requests; left > 0 && ask(); left--);
				expect(ask()).toBe(false);
				const seconds = retryAfter();
				expect(seconds).toBeGreaterThanOrEqual(1);
				pass((seconds - 1) * 1_000);
				expect(times(50, ask)).toBe(0);
				pass(1_000);
				expect(ask()).toBe(true);
				pass((round * 997) % 3_000);
			}
		},
	);

	test("refuses what is no rate", () => {
		for (const text of ["", "0/s", "100", "100/d", "1.5/s", "1000000/s"])
			expect(toRate(text)).toBeUndefined();
	});

	describe("of 2/h", () => {
		let service: Service;
		beforeAll(async () => {
			const rateLimit = rateOf("2/h");
			service = await openService("in process", { rateLimit });
		});
		afterAll(() => service.close());
		test("is sent with every reply to a caller with a key, and above it is a 429 with Retry-After, which does nothing", async () => {
			for (const { path, status, ...options } of [
				{ path: "/v1/pets", status: 200 },
				{ path: "/v1/pets", status: 304, headers: { "If-None-Match": "*" } },
				{ path: "/v1/pets", status: 201, method: "POST", body: newPet },
				{ path: "/v1/pets", status: 400, method: "POST", body: "{" },
				{ path: "/v1/pets", status: 405, method: "PUT" },
				{ path: "/v1/pets/0", status: 404 },
				{ path: "/v1/nothing", status: 404 },
			]) {
				const authorization = `Bearer ${await service.makeKey()}`;
				const ask = () => service.call(path, { ...options, authorization });
				for (const rest of ["r=1;t=1800", "r=0;t=1800"]) {
					const reply = await ask();
					const { headers } = reply;
					expect([path, reply.status]).toEqual([path, status]);
					expect(headers.get("RateLimit-Policy")).toBe('"default";q=2;w=3600');
					expect(headers.get("RateLimit")).toBe(`"default";${rest}`);
				}
				const refused = await ask();
				expect(refused.headers.get("Retry-After")).toBe("1800");
				expect(refused.headers.get("RateLimit")).toBe('"default";r=0;t=1800');
				const isDeprecated = path === "/v1/pets/0";
				expect(refused.headers.has("Deprecation")).toBe(isDeprecated);
				await expectError(refused, "rate_limited", /2 requests an hour/);
			}
			expect(await (await service.call("/v1/pets")).json()).toHaveLength(2);
		});

		test("counts neither the metrics, nor requests without a valid key, nor paths that need none", async () => {
			const key = await service.makeKey({ scope: "operator" });
			const authorization = `Bearer ${key}`;
			const headers = { Authorization: authorization };
			const metrics = `${service.url}/metrics`;
			for (let asked = 0; asked < 5; asked++) {
				const scraped = await service.send(new Request(metrics, { headers }));
				expect([scraped.status, scraped.headers.has("RateLimit")]).toEqual([
					...[200, false],
				]);
				for (const [path, status, options] of [
					["/v1/pets", 401, { authorization: null }],
					["/v1/pets", 401, { authorization: "Bearer wrong" }],
					["/v1/pets", 204, { authorization: null, method: "OPTIONS" }],
					["/healthz", 200, { authorization }],
					["/openapi.json", 200, { authorization }],
				] as const) {
					const reply = await service.call(path, options);
					expect([path, reply.status, reply.headers.has("RateLimit")]).toEqual([
						...[path, status, false],
					]);
				}
			}
			const status = "/operator/v1/status";
			for (const expected of [200, 200, 429])
				expect((await service.call(status, { authorization })).status).toBe(
					expected,
				);
		});
	});
});

test("two services of one process share neither limits nor counts", async () => {
	const apiKey = "a-key-that-both-services-have";
	const rateLimit = rateOf("1/h");
	const services = await Promise.all(
		["one", "other"].map(() =>
			openService("in process", { apiKey, rateLimit }),
		),
	);
	const replies: unknown[] = [];
	for (const { call, makeKey } of services) {
		const authorization = `Bearer ${apiKey}`;
		for (const path of ["/v1/pets", "/v1/pets"])
			replies.push((await call(path, { authorization })).status);
		const key = await makeKey({ scope: "operator" });
		const as = { authorization: `Bearer ${key}` };
		const status = await (await call("/operator/v1/status", as)).json();
		const totals = status.requests.lastHour.map(({ total = 0 }) => total);
		replies.push(Math.max(...totals));
	}
	await Promise.all(services.map(({ close }) => close()));
	expect(replies).toEqual([200, 429, 2, 200, 429, 2]);
});

/** A rate limit whose time passes only by `pass`, and the last Retry-After. */
function open(text: string) {
	// A year after the start of the clock, where a double has fewer digits after the point.
	let now = 365 * 24 * 3_600_000;
	const limitRate = createRateLimiter(rateOf(text), () => now);
	let retryAfter = 0;
	return {
		pass(ms: number): void {
			now += ms;
		},
		ask(keyHash = "a"): boolean {
			try {
				limitRate(keyHash);
				return true;
			} catch (error) {
				if (!(error instanceof Failure)) throw error;
				retryAfter = Number(error.headers["Retry-After"]);
				return false;
			}
		},
		retryAfter: () => retryAfter,
	};
}

function rateOf(text: string): Rate {
	const rate = toRate(text);
	if (rate === undefined) throw new Error(`${text} is no rate`);
	return rate;
}

/** How many of `count` calls returned true. */
function times(count: number, ask: () => boolean): number {
	return Array.from({ length: count }, ask).filter(Boolean).length;
}
