// More than can be answered in time: what is beyond the measure is refused at once, surely not done, and the rest goes on.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { bear } from "../../faults/bear.ts";
import { strains } from "../../faults/strains.ts";
import { overloaded } from "../../src/contract/errors.ts";
import { maxInt64 } from "../../src/contract/json.ts";
import { petToJson } from "../../src/contract/pet.ts";
import { limitPerIteration } from "../../src/http/iteration-limit.ts";
import { createLargeReplies } from "../../src/http/large-replies.ts";
import { limitPending } from "../../src/store/admission.ts";
import { createBatch } from "../../src/store/batch.ts";
import { decision, openService } from "../service.ts";

decision("Overload", () => {
	test("of 20,000 adds to a store that is stuck, those beyond the measure get a 503 at once, and none is done", async () => {
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
		// Those who left with the first trip have made room.
		for (let seat = 0; seat < 1_024; seat++) replies.push(addOnce());
		await Bun.sleep(100);
		const asked = performance.now();
		expect((await add()).status).toBe(503);
		expect(performance.now() - asked).toBeLessThan(100);
		for (const path of ["/healthz", "/readyz", "/v1/pets"])
			expect([path, (await service.call(path)).status]).toEqual([path, 200]);
		expect((await service.call("/v1/pets", stranger)).status).toBe(401);

		const answers = await Promise.all(replies);
		expect(new Set(answers.map(({ status }) => status))).toEqual(
			new Set([503]),
		);
		for (const { headers } of answers)
			expect(headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
		expect(Math.max(...times)).toBeLessThan(3_000);
		other.run("COMMIT");
		other.close();
		expect((await add()).status).toBe(201);
		expect(await (await service.call("/v1/pets")).json()).toHaveLength(1);
		// A line for each would be a flood of its own.
		const refusals = service.log.filter((line) => "refused" in line);
		expect(refusals.length).toBeGreaterThan(0);
		expect(service.log.length).toBeLessThan(20);
		await service.close();
	}, 20_000);

	test("16,384 may wait for a trip; who comes after them is refused at once", async () => {
		const gate = Promise.withResolvers<void>();
		const ride = createBatch(async (items: readonly number[]) => {
			await gate.promise;
			return items;
		});
		const first = ride(0);
		await Bun.sleep(10);
		const waiting = Array.from({ length: 16_384 }, (_, index) => ride(index));
		const asked = performance.now();
		expect(await outcomeOf(ride(-1))).toBe(overloaded);
		expect(performance.now() - asked).toBeLessThan(100);
		gate.resolve();
		await Promise.all([first, ...waiting]);
		expect(await ride(-1)).toBe(-1);
	});

	test("requests that wait for the store have a measure; those answered at once do not count", async () => {
		const gate = Promise.withResolvers<undefined>();
		const { getPet, listPets } = limitPending(
			{
				getPet: () => gate.promise,
				listPets: () => [],
				addPet: async () => ({ outcome: "added", id: 1n }),
				deleteIdempotencyKeys: async () => {},
			},
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

	test("a large list is refused while too much is on its way, a small one is not", async () => {
		const largeReplies = createLargeReplies({ maxUnsent: 1_000_000 });
		const large = "x".repeat(600_000);
		const first = readerOf(largeReplies, large);
		const second = readerOf(largeReplies, large);
		// At once: also those whose reader has not begun count.
		expect(() => largeReplies.send(large)).toThrow(overloaded);
		expect(largeReplies.send("[]")).toBe("[]");
		await second.read();
		await first.cancel();
		for (let times = 0; times < 3; times++)
			expect(await new Response(largeReplies.send(large)).text()).toBe(large);
	});

	test("an animal of the longest name is never refused for that", async () => {
		const largeReplies = createLargeReplies({ maxUnsent: 0 });
		const name = "x".repeat(64 * 1024 - '{"name":"","categoryId":1}'.length);
		const pet = { id: maxInt64, categoryId: 1n, status: "available" } as const;
		const body = petToJson({ ...pet, name });
		expect(largeReplies.send(body)).toBe(body);
	});
});

decision("Slow readers", () => {
	test("who takes too long for a reply loses the connection", async () => {
		const largeReplies = createLargeReplies({ timeoutMs: 50 });
		const reader = readerOf(largeReplies, "x".repeat(1_000_000));
		await reader.read();
		await Bun.sleep(100);
		// One piece may have been asked for before the deadline.
		const rest = Promise.all([reader.read(), reader.read()]);
		expect(await outcomeOf(rest)).toBeInstanceOf(Error);
	});
});

describe("a large reply", () => {
	test("arrives as it is, wherever it is cut into pieces", async () => {
		const largeReplies = createLargeReplies();
		for (const shift of ["", "x"]) {
			const body = shift + "🐕".repeat(100_000);
			expect(await new Response(largeReplies.send(body)).text()).toBe(body);
		}
	});
});

describe("an iteration of the event loop", () => {
	test("answers 1,000 requests, and the next ones as many, in their order", async () => {
		const answered: number[] = [];
		const answer = limitPerIteration((request: number) => {
			answered.push(request);
			return request;
		});
		const requests = Array.from({ length: 2_500 }, (_, index) => index);
		const replies = requests.map(answer);
		const counts = [answered.length];
		while (answered.length < 2_500) {
			await new Promise(setImmediate);
			counts.push(answered.length);
		}
		expect(counts).toEqual([1_000, 2_000, 2_500]);
		expect(await Promise.all(replies)).toEqual(requests);
		expect(answered).toEqual(requests);
	});

	test("that answers few leaves nothing behind for a later one", async () => {
		const answer = limitPerIteration((request: number) => request, 10);
		for (let iteration = 0; iteration < 20; iteration++) {
			for (let request = 0; request < 4; request++)
				expect(answer(request)).toBe(request);
			await new Promise(setImmediate);
		}
	});
});

describe("at a small size, which tells nothing of speed; for the record: npm run faults", () => {
	const small = (name: string) =>
		strains
			.filter((strain) => strain.name.startsWith(name))
			.filter(({ whyNot }) => whyNot?.() === undefined)
			.map(async (strain) => {
				const size = strain.size.test;
				const { wrong } = await bear(strain, { size, leastShare: 0.3 });
				return [strain.name, wrong] as const;
			});

	test("ten times the connections get as much done, with health answered, and it is over soon", async () => {
		for (const [name, wrong] of await Promise.all(small("overload-")))
			expect([name, wrong]).toEqual([name, []]);
	}, 60_000);

	test("slow heads, bodies and readers are let go, others do not notice; a mix of everything has no 5xx", async () => {
		const kinds = [...small("slow-"), ...small("soak")];
		for (const [name, wrong] of await Promise.all(kinds))
			expect([name, wrong]).toEqual([name, []]);
	}, 90_000);
});

const stranger = { authorization: null };

function readerOf(
	largeReplies: ReturnType<typeof createLargeReplies>,
	body: string,
) {
	const stream = new Response(largeReplies.send(body)).body;
	if (stream === null) throw new Error("no body");
	return stream.getReader();
}

/** What it resolves to, or is rejected with. */
function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
	return promise.catch((error: unknown) => error);
}
