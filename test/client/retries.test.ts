// The client repeats only what may succeed later, an add always with the same Idempotency-Key.
import { describe, expect, test } from "bun:test";
import { toDelay } from "../../src/client/send.ts";
import {
	cut,
	reply,
	type ScriptedServer,
	silence,
} from "../harness/scripted-server.ts";
import {
	answering,
	created,
	errorBody,
	failure,
	newPet,
	page,
	pet,
	petText,
} from "./scripted.ts";

describe("Client: retries", () => {
	test.concurrent.each([
		["a cut connection", cut],
		["no reply in time", silence],
		["half a reply", { text: created.text.slice(0, -10) }],
		["a 408", reply(408, errorBody(408))],
		["a 429", reply(429, errorBody(429), { "Retry-After": "0" })],
		["a 502 of a gateway", reply(502, "<html>Bad Gateway</html>")],
		["a 503", reply(503, errorBody(503))],
	])(
		"repeats an add with its first Idempotency-Key after %s",
		async (_what, answer) => {
			const { store, server } = await answering([answer, created]);
			expect(await store.createPet(newPet, { timeout: 300 })).toEqual(pet);
			const [first, second, ...more] = idempotencyKeys(server);
			expect(first).toMatch(/^\d+-\d+$/);
			expect([second, ...more]).toEqual([first]);
		},
	);

	test.concurrent("gives every add its own Idempotency-Key, or the caller's", async () => {
		const { store, server } = await answering([created]);
		for (const idempotencyKey of [undefined, undefined, "order-17"])
			await store.createPet(newPet, { idempotencyKey });
		const [first, second, third] = idempotencyKeys(server);
		expect(first).not.toBe(second);
		expect(third).toBe("order-17");
	});

	test.concurrent("repeats a page in the middle of a list", async () => {
		const next = { Link: '</v1/pets?cursor=a>; rel="next"' };
		const { store, server } = await answering([
			cut,
			reply(200, `[${petText}]`, next),
			reply(503, errorBody(503)),
			page,
		]);
		expect(await Array.fromAsync(store.listPets())).toEqual([pet, pet]);
		expect(server.requests.map((text) => text.split(" ")[1])).toEqual([
			...["/v1/pets", "/v1/pets"],
			...["/v1/pets?cursor=a", "/v1/pets?cursor=a"],
		]);
	});

	test.concurrent("throws the last failure after 4 retries, or as many as the caller sets", async () => {
		for (const [times, attempts] of [
			[undefined, 5],
			[1, 2],
			[0, 1],
		] as const) {
			const answer = reply(503, errorBody(503), { "X-Request-Id": "r-1" });
			const { store, server } = await answering([answer], {
				retry: { times, delay: 1 },
			});
			expect(await failure(store.getPet(1n))).toMatchObject({
				code: "a_code",
				message: "A message.",
				status: 503,
				requestId: "r-1",
			});
			expect(server.requests.length).toBe(attempts);
		}
	});

	test.concurrent.each([400, 422, 501])(
		"does not repeat an add after %d",
		async (status) => {
			const { store, server } = await answering([
				reply(status, errorBody(status)),
			]);
			expect((await failure(store.createPet(newPet))).status).toBe(status);
			expect(server.requests.length).toBe(1);
		},
	);

	test.concurrent("waits for Retry-After", async () => {
		const { store } = await answering([
			reply(429, errorBody(429), { "Retry-After": "1" }),
			page,
		]);
		const begun = performance.now();
		await store.readPage();
		const waited = performance.now() - begun;
		expect(waited).toBeGreaterThan(990);
		expect(waited).toBeLessThan(10_000);
	});

	test.concurrent("does not wait for a Retry-After of 31 seconds", async () => {
		const { store, server } = await answering([
			reply(503, errorBody(503), { "Retry-After": "31" }),
		]);
		expect((await failure(store.readPage())).status).toBe(503);
		expect(server.requests.length).toBe(1);
	});

	test.each([
		["2", 2_000],
		["Fri, 20 Nov 2026 08:00:03 GMT", 3_000],
		["Friday, 20-Nov-26 08:00:03 GMT", 3_000],
		["Fri Nov 20 08:00:03 2026", 3_000],
		["Fri, 20 Nov 2026 07:00:00 GMT", 0],
		["soon", 0],
		["31", undefined],
		["Fri, 20 Nov 2026 08:00:31 GMT", undefined],
	])(
		"waits for Retry-After: %s by the clock of the store %p ms",
		(text, ms) => {
			const headers = new Headers({
				"Retry-After": text,
				Date: "Fri, 20 Nov 2026 08:00:00 GMT",
			});
			const failed = { url: "", status: 503, headers, text: "" };
			expect(toDelay({ times: 1, delay: 0 }, 0, failed)).toBe(ms);
		},
	);

	test("waits after each failure twice as long, at most ten seconds, and at most half more", () => {
		for (const [delay, failures, least] of [
			[200, 0, 200],
			[200, 2, 800],
			[200, 8, 10_000],
			[0, 8, 0],
		] as const) {
			const delays = Array.from({ length: 1_000 }, () =>
				Number(toDelay({ times: 9, delay }, failures)),
			);
			expect(Math.min(...delays)).toBeWithin(least, least * 1.1 + 1);
			expect(Math.max(...delays)).toBeWithin(least * 1.45, least * 1.5 + 1);
		}
	});
});

function idempotencyKeys(server: ScriptedServer): (string | undefined)[] {
	return server.requests.map(
		(text) => /^idempotency-key: (.*)\r$/im.exec(text)?.[1],
	);
}
