// More requests than the service can answer in time. It refuses requests above its limits immediately, without executing them, and
// answers the others.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { overloaded } from "../../src/domain/errors.ts";
import { maxInt64 } from "../../src/domain/json.ts";
import { petToJson } from "../../src/domain/pet.ts";
import { toResponse } from "../../src/http/reply.ts";
import { createReplyMemory, toStream } from "../../src/http/reply-memory.ts";
import { limitPerIteration } from "../../src/http/server/iteration-limit.ts";
import { maxReplyBytesPerKey } from "../../src/limits.ts";
import { createBatch } from "../../src/store/queue/batch.ts";
import { limitPending } from "../../src/store/queue/pending-limit.ts";
import { answeredMs, openService, startMs } from "../service.ts";

/** Less than the second that a request may wait in a queue. */
const immediatelyMs = 900;

describe("Overload", () => {
	test("answers 503 to 20,000 adds while another connection holds the write lock, immediately above the limit, and executes none", async () => {
		const service = await openService("in process");
		const add = () =>
			service.send(
				new Request(`${service.url}/v1/pets`, {
					method: "POST",
					headers: { Authorization, "Content-Type": "application/json" },
					body: '{"name":"Rex","categoryId":1}',
				}),
			);
		const Authorization = `Bearer ${await service.makeKey()}`;
		const other = new Database(service.databaseUrl.replace("sqlite:", ""));
		other.run("BEGIN IMMEDIATE");
		const times: number[] = [];
		const addOnce = async () => {
			const sentAt = performance.now();
			const reply = await add();
			times.push(performance.now() - sentAt);
			return reply;
		};
		const replies = Array.from({ length: 20_000 }, addOnce);
		while (times.length < 20_000 - 16_384 - 1_024) await Bun.sleep(1);
		// The first batch has left the queue, so 1,024 more adds fit into it.
		for (let count = 0; count < 1_024; count++) replies.push(addOnce());
		await Bun.sleep(100);
		const asked = performance.now();
		expect((await add()).status).toBe(503);
		expect(performance.now() - asked).toBeLessThan(immediatelyMs);
		for (const path of ["/healthz", "/readyz", "/v1/pets"])
			expect([path, (await service.call(path)).status]).toEqual([path, 200]);
		expect((await service.call("/v1/pets", withoutKey)).status).toBe(401);

		const answers = await Promise.all(replies);
		expect(new Set(answers.map(({ status }) => status))).toEqual(
			new Set([503]),
		);
		for (const { headers } of answers)
			expect(headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
		expect(Math.max(...times)).toBeLessThan(answeredMs);
		other.run("COMMIT");
		other.close();
		expect((await add()).status).toBe(201);
		expect(await (await service.call("/v1/pets")).json()).toHaveLength(1);
		// One log line per refusal would add to the overload.
		expect(service.log.length).toBeWithin(1, 20);
		await service.close();
	}, 20_000);

	test("lets 16,384 requests wait for a batch, and refuses one more immediately", async () => {
		const gate = Promise.withResolvers<void>();
		const submit = createBatch(async (items: readonly number[]) => {
			await gate.promise;
			return items;
		});
		const first = submit(0);
		await Bun.sleep(10);
		const waiting = Array.from({ length: 16_384 }, (_, index) => submit(index));
		const asked = performance.now();
		expect(await outcomeOf(submit(-1))).toBe(overloaded);
		expect(performance.now() - asked).toBeLessThan(immediatelyMs);
		gate.resolve();
		await Promise.all([first, ...waiting]);
		expect(await submit(-1)).toBe(-1);
	});

	test("limits the requests that wait for the store, and does not count requests answered without waiting", async () => {
		const gate = Promise.withResolvers<undefined>();
		const { getPet, listPets } = limitPending(
			{
				getPet: () => gate.promise,
				listPets: () => [],
				addPet: async () => ({ outcome: "added", id: 1n }),
				changePets: async () => ({ outcome: "changed", pets: [] }),
				countPets: async () => ({ count: 0, lastId: undefined }),
				countCategories: async () => ({
					count: 0,
					lastId: undefined,
					byCategory: [],
				}),
			},
			undefined,
			2,
		);
		const page = { limit: 1, maxId: 1n, status: undefined };
		const waiting = [getPet(1n)];
		for (let count = 0; count < 10; count++) expect(listPets(page)).toEqual([]);
		waiting.push(getPet(2n));
		const third = outcomeOf((async () => getPet(3n))());
		gate.resolve(undefined);
		expect(await third).toBe(overloaded);
		await Promise.all(waiting);
		expect(await getPet(3n)).toBeUndefined();
	});

	test("refuses a long reply while too many bytes are unsent, for one key or for all keys together", async () => {
		const memory = createReplyMemory({ total: 3_000_000, perKey: 1_500_000 });
		const long = "x".repeat(600_000);
		const open = (key: string) => toStream(long, memory.open(key)).getReader();
		const [first, second] = [open("a"), open("a")];
		expect(() => open("a")).toThrow(overloaded);
		const others = [open("b"), open("b"), open("c")];
		// Replies whose clients have not read anything yet count too.
		expect(() => open("d")).toThrow(overloaded);
		await first.cancel();
		await second.read();
		expect(await open("a").read()).toMatchObject({ done: false });
		for (const other of others) await other.cancel();
		for (let times = 0; times < 10; times++) {
			const stream = toStream(long, memory.open("b"));
			expect(await new Response(stream).text()).toBe(long);
		}
	});

	test("refuses a key with many unread replies before it reads anything", () => {
		const memory = createReplyMemory();
		const claim = memory.open("a");
		claim.take(maxReplyBytesPerKey - 10);
		expect(() => memory.requireRoom("a", 1)).toThrow(overloaded);
		memory.requireRoom("b", 100);
		claim.end();
		memory.requireRoom("a", 100);
		// Work that goes on after the reply gets no memory.
		expect(() => claim.take(1)).toThrow(overloaded);
	});

	test("acknowledges an animal with the longest name, however many replies are unread", async () => {
		const memory = createReplyMemory({ total: 0 });
		const name = "x".repeat(64 * 1024 - '{"name":"","categoryId":1}'.length);
		const pet = { id: maxInt64, categoryId: 1n, status: "available" } as const;
		const body = petToJson({ ...pet, name });
		const reply = { status: 201, headers: new Headers(), body };
		expect(await toResponse("POST", reply, reply, memory, "a").text()).toBe(
			body,
		);
		expect(() => toResponse("GET", reply, reply, memory, "a")).toThrow(
			overloaded,
		);
	});

	test.each(["sqlite", "postgres"] as const)(
		"%s: reserves memory for lists, searches, changes and exports of long names before it reads them",
		async (engine) => {
			const service = await openService("in process", { engine });
			const long = { categoryId: 1n, status: "sold" } as const;
			for (let count = 0; count < 30; count++)
				await service.store.catalogue.addPet({
					pet: { ...long, name: `${count}`.padEnd(60_000, "x") },
				});
			for (const path of [
				"/v1/pets?limit=30",
				"/operator/v1/pets?limit=30",
				"/operator/v1/pets?limit=30&name=x",
				"/operator/v1/changes?limit=1000",
				"/operator/v1/pets/export",
			]) {
				const unread: Response[] = [];
				const statuses: number[] = [];
				const key = await service.makeKey({ scope: "operator" });
				const send = async () =>
					service.send(
						new Request(service.url + path, {
							headers: { Authorization: `Bearer ${key}` },
						}),
					);
				while (statuses.at(-1) !== 503 && statuses.length < 100) {
					const reply = await send();
					statuses.push(reply.status);
					if (reply.status === 200) unread.push(reply);
				}
				expect([path, statuses.at(-1)]).toEqual([path, 503]);
				expect([path, unread.length > 1]).toEqual([path, true]);
				for (const reply of unread) await reply.body?.cancel();
				const again = await send();
				expect([path, again.status]).toEqual([path, 200]);
				await again.body?.cancel();
			}
			await service.close();
		},
		startMs,
	);
});

describe("Slow readers", () => {
	test("disconnects a client that takes too long to read a reply", async () => {
		const claim = createReplyMemory().open("a");
		const reader = toStream("x".repeat(1_000_000), claim, 50).getReader();
		await reader.read();
		await Bun.sleep(100);
		// The stream may have produced one piece before the timeout.
		const rest = Promise.all([reader.read(), reader.read()]);
		expect(await outcomeOf(rest)).toBeInstanceOf(Error);
	});
});

describe("a large reply", () => {
	test("arrives unchanged, wherever it is split into pieces", async () => {
		for (const shift of ["", "x"]) {
			const body = shift + "🐕".repeat(100_000);
			const stream = toStream(body, createReplyMemory().open("a"));
			expect(await new Response(stream).text()).toBe(body);
		}
	});
});

describe("an iteration of the event loop", () => {
	test("answers 1,000 requests in the order of their arrival, and leaves the rest to the next iterations", async () => {
		const answered: number[] = [];
		const answer = limitPerIteration((request: number) => {
			answered.push(request);
			return request;
		});
		const requests = Array.from({ length: 2_500 }, (_, index) => index);
		const replies = requests.map((request) => answer(request, undefined));
		const counts = [answered.length];
		while (answered.length < 2_500) {
			await new Promise(setImmediate);
			counts.push(answered.length);
		}
		expect(counts).toEqual([1_000, 2_000, 2_500]);
		expect(await Promise.all(replies)).toEqual(requests);
		expect(answered).toEqual(requests);
	});

	test("keeps its limit after iterations with few requests", async () => {
		const answer = limitPerIteration((request: number) => request, 10);
		for (let iteration = 0; iteration < 20; iteration++) {
			for (let request = 0; request < 4; request++)
				expect(answer(request, undefined)).toBe(request);
			await new Promise(setImmediate);
		}
	});
});

const withoutKey = { authorization: null };

/** The value of the promise, or its error. */
function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
	return promise.catch((error: unknown) => error);
}
