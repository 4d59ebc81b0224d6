// More requests than the service can answer in time. It refuses requests above its limits immediately, without executing them, and
// answers the others.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { overloaded } from "../../src/domain/errors.ts";
import {
	createUnsent,
	maxUnsentBytes,
	toPartStream,
	type Unsent,
} from "../../src/http/parts.ts";
import { toResponse } from "../../src/http/reply.ts";
import { toPet } from "../harness/pet.ts";
import { openService } from "../service.ts";

describe("Overload", () => {
	test("answers 503 to all adds that wait too long for the write lock, executes none, answers others, and logs few lines", async () => {
		const service = await openService("in process");
		const Authorization = `Bearer ${await service.makeKey()}`;
		const add = () =>
			service.send(
				new Request(`${service.url}/v1/pets`, {
					method: "POST",
					headers: { Authorization },
					body: rex,
				}),
			);
		const other = new Database(service.databaseUrl.replace("sqlite:", ""));
		other.run("BEGIN IMMEDIATE");
		// Three batches. Many more would keep the event loop of a busy machine from the other requests.
		const adds = Array.from({ length: 600 }, add);
		for (const path of ["/healthz", "/readyz", "/v1/pets"])
			expect([path, (await service.call(path)).status]).toEqual([path, 200]);
		for (const { status, headers } of await Promise.all(adds))
			expect([status, headers.get("Retry-After")]).toEqual([
				503,
				expect.stringMatching(/^[1-9]\d*$/),
			]);
		other.run("COMMIT");
		other.close();
		expect((await add()).status).toBe(201);
		expect(await (await service.call("/v1/pets")).json()).toHaveLength(1);
		// One log line per refusal would add to the overload.
		expect(service.log.length).toBeWithin(1, 20);
		await service.close();
	}, 20_000);

	test("refuses a long reply while too many bytes are unsent", async () => {
		// Replies whose clients have not read anything yet count too.
		const unsent = createUnsent();
		const [first, second, ...others] = fill(unsent);
		expect(() => unsent.limit(long)).toThrow(overloaded);
		expect(unsent.limit("short")).toBe("short");
		await first?.cancel();
		await second?.read();
		const next = open(unsent.limit(long));
		expect(() => unsent.limit(long)).toThrow(overloaded);
		for (const reader of [second, next, ...others]) await reader?.cancel();
		for (let times = 0; times < 2 * others.length; times++)
			expect(await new Response(unsent.limit(long)).text()).toBe(long);
	});

	test("counts unsent replies, exports, imports and requests of each service of a process for itself", async () => {
		await using first = await openBusy();
		await using second = await openBusy();
		const list = "/v1/pets?limit=100";
		const unread = [];
		let reply = await first.ask(list);
		for (; reply.status === 200; reply = await first.ask(list))
			unread.push(reply);
		expect(unread.length).toBeWithin(100, 1_000);
		// A long page of the feed is refused before its work.
		const feed = "/operator/v1/changes?limit=1000";
		expect((await first.ask(feed)).status).toBe(503);
		expect((await first.ask("/operator/v1/changes?limit=1")).status).toBe(200);
		for (const path of [list, feed]) await second.read(path);
		for (const { body } of unread) await body?.cancel();
		const file = "/operator/v1/pets/export";
		const files = [await first.ask(file), await first.ask(file)];
		expect((await first.ask(file)).status).toBe(503);
		await second.read(file);
		for (const { body } of files) await body?.cancel();
		let end = () => {};
		const endless = new ReadableStream({
			start(controller) {
				end = () => controller.close();
			},
		});
		const importing = first.ask("/operator/v1/pets/import", endless);
		const importRex = "/operator/v1/pets/import?format=ndjson";
		while ((await first.ask(importRex, rex)).status !== 503);
		await second.read(importRex, rex);
		end();
		await importing;
		while ((await first.ask(list)).status !== 429);
		await second.read(list);
	});

	test("refuses long text for a GET, and acknowledges a change", async () => {
		const reply = { status: 200, headers: new Headers(), body: long };
		const { headers } = reply;
		const unsent = createUnsent();
		const respond = (method: string) =>
			toResponse({ method, headers, route: undefined }, reply, unsent);
		const readers = fill(unsent);
		expect(() => respond("GET")).toThrow(overloaded);
		expect(await respond("PATCH").text()).toBe(long);
		for (const reader of readers) await reader.cancel();
	});
});

test("disconnects a client that takes too long to read a reply, and frees its memory", async () => {
	const part = Buffer.from("x");
	let ended = 0;
	const onEnd = () => ended++;
	const stream = toPartStream(async () => part, 50, onEnd, "whole body");
	const reader = open(stream);
	await reader.read();
	await Bun.sleep(100);
	// The stream may have produced one piece before the timeout.
	const rest = Promise.all([reader.read(), reader.read()]);
	expect(await outcomeOf(rest)).toBeInstanceOf(Error);
	expect(ended).toBe(1);
});

test("sends a large reply unchanged, wherever it is split into pieces", async () => {
	for (const shift of ["", "x"]) {
		const body = shift + "🐕".repeat(100_000);
		expect(await new Response(createUnsent().limit(body)).text()).toBe(body);
	}
});

const long = "x".repeat(500_000);
const rex = '{"name":"Rex","categoryId":1}';

/** A service with long lists and a rate limit, and a key that may do all. */
async function openBusy() {
	const service = await openService("in process", {
		rateLimit: { requests: 1_000, unit: "h" },
	});
	const { catalogue } = service.store;
	const pet = toPet({ name: "🐕".repeat(255) });
	await Promise.all(
		Array.from({ length: 100 }, () => catalogue.addPet({ pet })),
	);
	const key = await service.makeKey({ scope: "operator" });
	const headers = {
		Authorization: `Bearer ${key}`,
		"Content-Type": "application/x-ndjson",
	};
	const ask = (path: string, body?: string | ReadableStream) => {
		const init = body === undefined ? {} : { method: "POST", body };
		return service.send(new Request(service.url + path, { ...init, headers }));
	};
	return {
		ask,
		async read(path: string, body?: string): Promise<void> {
			const reply = await ask(path, body);
			expect([path, reply.status]).toEqual([path, 200]);
			await reply.bytes();
		},
		[Symbol.asyncDispose]: service.close,
	};
}

/** As many long replies as fit. */
function fill({ limit }: Unsent) {
	const length = Math.floor(maxUnsentBytes / long.length);
	return Array.from({ length }, () => open(limit(long)));
}

function open(body: string | ReadableStream<Uint8Array>) {
	if (typeof body === "string") throw new Error("no stream");
	return body.getReader();
}

/** The value of the promise, or its error. */
function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
	return promise.catch((error: unknown) => error);
}
