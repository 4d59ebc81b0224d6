// Runs the conformance cases against this service.
import { describe, expect, test } from "bun:test";
import { statuses } from "../../conformance/case.ts";
import { cases } from "../../conformance/cases.ts";
import { check } from "../../conformance/check.ts";
import { run } from "../../conformance/run.ts";
import { petStatuses } from "../../src/domain/pet.ts";
import { openService } from "../service.ts";

describe.each([
	["sqlite", "in process"],
	["sqlite", "over a socket"],
	["postgres", "over a socket"],
] as const)("%s, %s", (engine, transport) => {
	test("passes all conformance cases, even when they run a second time", async () => {
		const service = await openService(transport, { engine });
		const target = {
			baseUrl: `${service.url}/v1`,
			key: await service.makeKey(),
			readKey: await service.makeKey({ scope: "read" }),
			send: service.send,
		};
		for (let time = 0; time < 2; time++) {
			const failures = [];
			for await (const { case: one, failure } of run(cases, target))
				if (failure !== undefined)
					failures.push([one.name, failure.curl, failure.problems]);
			expect(failures).toEqual([]);
		}
		await service.close();
	}, 60_000);
});

test("accepts a full page without the expected animal, since the document promises no order", () => {
	const problems = (...ids: number[]) =>
		check(
			{ status: 200, pets: { has: ["7"], fullAt: 2 } },
			{
				status: 200,
				headers: new Headers(),
				bytes: Buffer.from(
					JSON.stringify(ids.map((id) => ({ id, name: "x", categoryId: 1 }))),
				),
			},
			(text) => text,
			() => "",
		);
	expect(problems(1, 2)).toEqual([]);
	expect(problems(7)).toEqual([]);
	expect(problems(1)).toEqual(["animal 7 is missing"]);
});

test("the cases know the same statuses as the service", () => {
	expect(statuses).toEqual([...petStatuses]);
});

test("the kit has more than 200 conformance cases, and no two in a section have the same name", () => {
	expect(cases.length).toBeGreaterThan(200);
	const names = cases.map(({ section, name }) => `${section} ${name}`);
	expect(names.length).toBe(new Set(names).size);
});
