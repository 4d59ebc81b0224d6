// The fault rules on the page of the sandbox: switches that follow the rules of the service.
import { describe, expect, test } from "bun:test";
import {
	switchOn,
	toServed,
	toSwitches,
} from "../../../src/web/sandbox/switches.ts";

const cut = { operation: "createPet", times: 2, drop: "after-commit" };
const slow = { times: "always", delay: 100 };

describe("Faults as switches", () => {
	test("keeps a rule that is used up or removed, switched off", () => {
		const known = toSwitches([], [cut, slow]);
		expect(toSwitches(known, [{ ...cut, times: 1 }])).toEqual([
			{ rule: cut, left: { ...cut, times: 1 } },
			{ rule: slow, left: undefined },
		]);
	});

	test("gives a rule all its requests again when it is switched on", () => {
		const [off] = toSwitches([switchOn(cut)], []);
		expect(off?.left).toBeUndefined();
		expect(toServed([switchOn(off?.rule ?? {})])).toEqual([cut]);
	});

	test("sends only the rules that are on, in their order, with the requests that are left", () => {
		const switches = [
			{ rule: cut, left: { ...cut, times: 1 } },
			{ rule: { status: 503 }, left: undefined },
			switchOn(slow),
		];
		expect(toServed(switches)).toEqual([{ ...cut, times: 1 }, slow]);
	});

	test("recognises a rule whose members are in another order", () => {
		const { operation, times, drop } = cut;
		const known = [switchOn({ drop, operation, times })];
		expect(toSwitches(known, [cut])).toHaveLength(1);
	});

	test("recognises a rule that has skipped requests", () => {
		const third = { ...cut, skip: 2 };
		expect(toSwitches([switchOn(third)], [cut])).toEqual([
			{ rule: third, left: cut },
		]);
	});

	test("shows two equal rules as two switches", () => {
		const both = toSwitches([], [cut, cut]);
		expect(toSwitches(both, [cut])).toEqual([
			{ rule: cut, left: cut },
			{ rule: cut, left: undefined },
		]);
	});
});
