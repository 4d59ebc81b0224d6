// More requests than the service can answer in time. It refuses requests above its limits immediately, without executing them, and
// answers the others.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { overloaded } from "../../src/domain/errors.ts";
import {
	limitUnsent,
	maxUnsentBytes,
	toPartStream,
} from "../../src/http/parts.ts";
import { toResponse } from "../../src/http/reply.ts";
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
					body: '{"name":"Rex","categoryId":1}',
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
		const [first, second, ...others] = fill();
		expect(() => limitUnsent(long)).toThrow(overloaded);
		expect(limitUnsent("short")).toBe("short");
		await first?.cancel();
		await second?.read();
		const next = open(limitUnsent(long));
		expect(() => limitUnsent(long)).toThrow(overloaded);
		for (const reader of [second, next, ...others]) await reader?.cancel();
		for (let times = 0; times < 2 * others.length; times++)
			expect(await new Response(limitUnsent(long)).text()).toBe(long);
	});

	test("refuses a long page of the feed before its work, and not a short one", async () => {
		const service = await openService("in process");
		const readers = fill();
		for (const [limit, status] of [
			[1_000, 503],
			[1, 200],
		] as const) {
			const reply = await service.call(`/operator/v1/changes?limit=${limit}`);
			expect(reply.status).toBe(status);
		}
		for (const reader of readers) await reader.cancel();
		await service.close();
	});

	test("refuses long text for a GET, and acknowledges a change", async () => {
		const reply = { status: 200, headers: new Headers(), body: long };
		const { headers } = reply;
		const respond = (method: string) =>
			toResponse({ method, headers, route: undefined }, reply);
		const readers = fill();
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
		expect(await new Response(limitUnsent(body)).text()).toBe(body);
	}
});

const long = "x".repeat(500_000);

/** As many long replies as fit. */
function fill() {
	const length = Math.floor(maxUnsentBytes / long.length);
	return Array.from({ length }, () => open(limitUnsent(long)));
}

function open(body: string | ReadableStream<Uint8Array>) {
	if (typeof body === "string") throw new Error("no stream");
	return body.getReader();
}

/** The value of the promise, or its error. */
function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
	return promise.catch((error: unknown) => error);
}
