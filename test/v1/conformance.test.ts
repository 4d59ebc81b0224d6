// The suite of /v1: the conformance cases, on both engines, in process and over a socket.
import { describe, expect, test } from "bun:test";
import { cases, sections } from "../../conformance/cases.ts";
import { check } from "../../conformance/check.ts";
import type { Target } from "../../conformance/request.ts";
import { run } from "../../conformance/run.ts";
import {
	expectError,
	onEachService,
	openService,
	type Service,
} from "../service.ts";

onEachService(registerCases, {}, [
	["sqlite", "in process"],
	["sqlite", "over a socket"],
	["postgres", "in process"],
	["postgres", "over a socket"],
]);

function registerCases(service: () => Service): void {
	let target: Target | undefined;
	describe.each(
		sections.map(({ number, title }) => ({
			heading: `${number} ${title}`,
			own: cases.filter(({ section }) => section === number),
		})),
	)("$heading", ({ own }) => {
		for (const one of own)
			test(one.name, async () => {
				target ??= await toTarget(service());
				for await (const { failure } of run([one], target))
					expect(failure && [failure.curl, failure.problems]).toBeUndefined();
			});
	});
}

test("a read key may list animals, and gets 403 when it adds one", async () => {
	const service = await openService("in process");
	const authorization = `Bearer ${await service.makeKey({ scope: "read" })}`;
	const add = { method: "POST", body: '{"name":"Rex","categoryId":1}' };
	const added = await service.call("/v1/pets", { ...add, authorization });
	await expectError(added, "forbidden");
	const list = await service.call("/v1/pets", { authorization });
	expect([list.status, await list.json()]).toEqual([200, []]);
	await service.close();
});

test("all cases pass a second time in the same store", async () => {
	const service = await openService("in process");
	const target = await toTarget(service);
	for await (const result of run([...cases, ...cases], target))
		expect([result.case.name, result.failure]).toEqual([
			...[result.case.name, undefined],
		]);
	await service.close();
}, 30_000);

async function toTarget({ url, makeKey, send }: Service): Promise<Target> {
	const key = await makeKey();
	return { baseUrl: `${url}/v1`, key, send };
}

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

test("no two cases of a section have the same name", () => {
	const names = cases.map(({ section, name }) => `${section} ${name}`);
	expect(names.length).toBe(new Set(names).size);
});
