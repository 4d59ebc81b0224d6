// The fault rules on the page of the sandbox: switches that follow the rules of the service, and a form made from the kinds of faults.
import { describe, expect, test } from "bun:test";
import { createRules } from "../../../src/sandbox/fault-rule.ts";
import {
	findOther,
	isOffered,
	toFields,
	toRule,
} from "../../../src/web/sandbox/rule-fields.ts";
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

describe("the form", () => {
	const known = { status: 200, errors: [] };
	const operations = [
		{ ...known, id: "createPet", prefix: "/v1", method: "POST", path: "/pets" },
		{
			...known,
			id: "listChanges",
			prefix: "/operator/v1",
			method: "GET",
			path: "/changes",
		},
	];
	const fields = toFields(JSON.stringify(createRules(operations).fields));
	const find = (name: string) =>
		fields.find((field) => field.name === name) ?? raise(name);
	const raise = (name: string) => {
		throw new Error(`There is no field ${name}.`);
	};

	test("has a field for every kind of fault, with its description", () => {
		for (const { description } of fields) expect(description).not.toBe("");
		const named = (isKind: boolean) =>
			fields.filter((one) => one.isKind === isKind).map(({ name }) => name);
		expect(named(true)).toEqual([
			...["delay", "status", "retryAfter", "body", "drop"],
		]);
		expect(named(false)).toEqual(["operation", "skip", "times", "probability"]);
	});

	test.each([
		["delay", "0 to 60000"],
		["status", "400 to 599"],
		["retryAfter", "0 to 86400, or null"],
		["skip", "0 or more"],
		["times", "1 or more, or always"],
		["probability", "0 to 1"],
	])("says what to type for %s: %s", (name, format) => {
		expect(find(name).format).toBe(format);
	});

	test("offers the moments at which a connection can be dropped", () => {
		const [moments] = find("drop").choices ?? [];
		expect(moments?.options.map(({ value }) => value)).toEqual([
			"before",
			"after-commit",
			"mid-body",
		]);
	});

	test("offers the operations by interface, each with its method and path", () => {
		const [catalogue, forOperators] = find("operation").choices ?? [];
		expect(catalogue?.label).toBe("/v1");
		expect(catalogue?.options).toContainEqual({
			value: "createPet",
			text: "createPet — POST /v1/pets",
		});
		expect(forOperators?.label).toBe("/operator/v1");
		expect(forOperators?.options).toContainEqual({
			value: "listChanges",
			text: "listChanges — GET /operator/v1/changes",
		});
	});

	test.each([
		["skip", ["", "0", "2"], ["-1", "1.5", "two"]],
		["times", [" always ", "1"], ["0", "never"]],
		["probability", ["0.5", "1"], ["1.1"]],
		["delay", ["0", "60000"], ["60001", "1-2", "soon"]],
		["retryAfter", ["null", "86400"], ["none"]],
		["status", ["400", "599"], ["200", "null", "400-500"]],
	] as const)(
		"the field %s accepts %j and refuses %j",
		(name, right, wrong) => {
			const { accepts } = find(name);
			for (const typed of right)
				expect([typed, accepts(typed)]).toEqual([typed, true]);
			for (const typed of wrong)
				expect([typed, accepts(typed)]).toEqual([typed, false]);
		},
	);

	test("offers a field only where it can be used", () => {
		expect(isOffered(find("retryAfter"), {})).toBe(false);
		expect(isOffered(find("retryAfter"), { status: "503" })).toBe(true);
		expect(findOther(find("drop"), { status: "503" })).toBe("status");
		expect(findOther(find("drop"), { delay: "5" })).toBeUndefined();
	});

	test("builds the rule from the fields that are filled and offered", () => {
		const values = {
			operation: "createPet",
			times: " always ",
			probability: "0.5",
			delay: "100",
			status: "503",
			retryAfter: "null",
			drop: "",
		};
		expect(toRule(fields, values)).toEqual({
			operation: "createPet",
			times: "always",
			probability: 0.5,
			delay: 100,
			status: 503,
			retryAfter: null,
		});
	});

	test("sends wrong values to the service, which names them", () => {
		expect(toRule(fields, { delay: "soon" })).toEqual({ delay: "soon" });
	});
});
