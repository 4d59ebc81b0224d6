// The errors that the client throws: from the store, from gateways and the network, timeouts, aborts, wrong arguments.
import { describe, expect, test } from "bun:test";
import { createClient } from "../../src/client/client.ts";
import { waitFor } from "../harness/process.ts";
import { cut, reply, silence } from "../harness/scripted-server.ts";
import {
	answering,
	created,
	errorBody,
	failure,
	newPet,
	page,
	petText,
} from "./scripted.ts";

describe("Client: errors", () => {
	test.concurrent("reports a timeout without a status if no complete reply arrives in time", async () => {
		const half = { text: page.text.slice(0, -5), isOpen: true };
		for (const answer of [silence, half]) {
			const { store } = await answering([answer], {
				timeout: 50,
				retry: { times: 0 },
			});
			const error = await failure(store.readPage());
			expect(error).toMatchObject({ code: "timeout", status: undefined });
			expect(error.message).toMatch(/^GET http.*\/v1\/pets failed: .* 50 ms/);
		}
	});

	test.concurrent("reports a cut connection as a network error with its cause and no status", async () => {
		const { store } = await answering([cut], { retry: { times: 0 } });
		const error = await failure(store.createPet(newPet));
		expect(error).toMatchObject({ code: "network", status: undefined });
		expect(error.message).toMatch(/^POST http:.*\/v1\/pets failed: ./);
		expect(error.cause).toBeInstanceOf(Error);
	});

	test.concurrent.each([
		["a page of a gateway", 502, "<html>\n<h1>Bad Gateway</h1>"],
		["an empty body", 404, ""],
	])(
		"keeps the status and the body of an error reply with %s",
		async (_what, status, body) => {
			const { store } = await answering([reply(status, body)], {
				retry: { times: 0 },
			});
			const error = await failure(store.readPage());
			expect(error).toMatchObject({ code: "http_error", status });
			expect(error.message).toContain(String(status));
			expect(error.message).toContain(JSON.stringify(body));
		},
	);

	test.concurrent.each([
		["no JSON", "<html>", /JSON/],
		["an id beyond int64", `{"id":${2n ** 63n}}`, /id must be an int64/],
		["no categoryId", '{"id":1,"name":""}', /categoryId/],
		["a fourth status", petText.replace("sold", "lost"), /status/],
	])(
		"reports a 200 with %s in place of an animal as an invalid reply",
		async (_what, body, message) => {
			const { store } = await answering([reply(200, body)]);
			const error = await failure(store.getPet(1n));
			expect(error).toMatchObject({ code: "invalid_reply", status: 200 });
			expect(error.message).toMatch(message);
		},
	);

	test.concurrent("rejects with the reason of the signal: before, during an attempt, and before a retry", async () => {
		const { store, server } = await answering([
			reply(503, errorBody(503), { "Retry-After": "20" }),
			silence,
		]);
		for (const attempts of [0, 1, 2]) {
			const controller = new AbortController();
			const { signal } = controller;
			const reason = new Error("enough");
			if (attempts === 0) controller.abort(reason);
			const call = store.createPet(newPet, { signal });
			const ended = call.catch((error: unknown) => error);
			const hasSent = () => server.requests.length >= attempts;
			await waitFor(hasSent, "no request");
			// The client gets the first reply within milliseconds, and then waits.
			setTimeout(() => controller.abort(reason), 50);
			expect(await ended).toBe(reason);
			expect(server.requests.length).toBe(attempts);
		}
	});

	test.concurrent("ends an aborted list between its pages", async () => {
		const next = { Link: '</v1/pets?cursor=a>; rel="next"' };
		const { store, server } = await answering([
			reply(200, `[${petText}]`, next),
		]);
		const controller = new AbortController();
		const { signal } = controller;
		const reason = new Error("enough");
		const read = async () => {
			for await (const _ of store.listPets({}, { signal }))
				controller.abort(reason);
		};
		await expect(read()).rejects.toBe(reason);
		expect(server.requests.length).toBe(1);
	});
});

test("throws a TypeError that names a wrong value or setting", async () => {
	const valid = { url: "http://store.example", key: "a-key" };
	const store = createClient(valid);
	// JSON.parse stands for a caller in JavaScript, without a compiler.
	for (const [member, call] of [
		["categoryId", store.createPet(JSON.parse('{"name":"Rex"}'))],
		[
			"categoryId",
			store.createPet({ ...newPet, ...JSON.parse('{"categoryId":7}') }),
		],
		["name", store.createPet({ ...newPet, ...JSON.parse('{"name":7}') })],
		["id", store.getPet(JSON.parse("7"))],
		["signal", store.getPet(1n, JSON.parse('{"signal":{}}'))],
		["the options", store.getPet(1n, JSON.parse("null"))],
	] as const) {
		const error = await call.catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(TypeError);
		expect(String(error)).toStartWith(`TypeError: ${member} must be a`);
	}
	for (const [member, options] of [
		["url", { url: "ftp://store.example" }],
		["url", { url: "store.example" }],
		["key", { key: "" }],
		["key", { key: JSON.parse("null") }],
		["timeout", { timeout: -1 }],
		["retry", { retry: JSON.parse("4") }],
		["times", { retry: { times: Number.NaN } }],
		["delay", { retry: { delay: -1 } }],
	] as const)
		expect(() => createClient({ ...valid, ...options })).toThrow(
			new RegExp(`^${member} must be `),
		);
});

test("throws a TypeError that names an unknown option, and the known ones", async () => {
	const valid = { url: "http://store.example", key: "a-key" };
	const store = createClient(valid);
	// JSON.parse stands for a caller in JavaScript, without a compiler.
	const wrong = JSON.parse('{"retries":1}');
	expect(() => createClient({ ...valid, ...wrong })).toThrow(/retries;.*retry/);
	expect(() => createClient({ ...valid, retry: wrong })).toThrow(
		/retries of retry;.*times/,
	);
	await expect(store.createPet(newPet, wrong)).rejects.toThrow(
		/retries;.*timeout, idempotencyKey/,
	);
	for (const call of [
		store.createPet(newPet, wrong),
		store.getPet(1n, wrong),
		store.readPage({}, wrong),
		store.readPage(wrong),
		Array.fromAsync(store.listPets({}, wrong)),
	]) {
		const error = await call.catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(TypeError);
		expect(String(error)).toContain("retries");
	}
});

test("fails if an add is redirected, because fetch would follow with a GET", async () => {
	const elsewhere = reply(301, "", { Location: "/v1/other" });
	const { store, server } = await answering([elsewhere, created], {
		retry: { times: 0 },
	});
	expect(await failure(store.createPet(newPet))).toMatchObject({
		code: "network",
	});
	expect(server.requests).toHaveLength(1);
});
