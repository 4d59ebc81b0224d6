// Calls that change animals: one after the other, and a limit of the changes that wait.
import { expect, test } from "bun:test";
import { overloaded } from "../../src/domain/errors.ts";
import type { Changed, PetChange } from "../../src/store/catalogue.ts";
import { changeInTurn } from "../../src/store/queue/batch.ts";

const done: Changed = { outcome: "changed", pets: [] };
const changes = (count: number): readonly PetChange[] =>
	Array.from({ length: count }, () => ({ petId: 1n, set: {} }));

test("runs calls one after the other, in the order of the requests, even after a failure", async () => {
	const running: number[] = [];
	let atMost = 0;
	const change = changeInTurn(async ({ length }) => {
		running.push(length);
		atMost++;
		expect(atMost).toBe(1);
		await Bun.sleep(1);
		atMost--;
		if (length === 2) throw new Error("refused");
		return done;
	});
	const calls = [1, 2, 3].map((count) => change(changes(count)));
	const [first, second, third] = await Promise.allSettled(calls);
	expect(running).toEqual([1, 2, 3]);
	expect([first?.status, second?.status, third?.status]).toEqual([
		"fulfilled",
		"rejected",
		"fulfilled",
	]);
});

test("refuses a call immediately if too many changes wait, and accepts calls again when others have ended", async () => {
	const gate = Promise.withResolvers<Changed>();
	const change = changeInTurn(() => gate.promise, 10);
	const waiting = [change(changes(6)), change(changes(4))];
	expect(await change(changes(1)).catch((error) => error)).toBe(overloaded);
	gate.resolve(done);
	await Promise.all(waiting);
	expect(await change(changes(10))).toBe(done);
});
