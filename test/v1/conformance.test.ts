// The suite of /v1: the conformance cases, on both engines.
import { describe, expect, test } from "bun:test";
import type { Expectation } from "../../conformance/case.ts";
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

onEachService((service) => {
	let target: Target | undefined;
	describe.each(
		sections.map(({ number, title }) => ({
			heading: `${number} ${title}`,
			own: cases.filter(({ rule }) => rule.section === number),
		})),
	)("$heading", ({ own }) => {
		for (const one of own)
			test(one.name, async () => {
				target ??= await toTarget(service());
				for await (const { failure } of run([one], target))
					expect(failure && [failure.curl, failure.problems]).toBeUndefined();
			});
	});
});

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

/** Faults of other stores, as changes of a request or its reply, and the rule that finds them. */
const faults: readonly {
	rule: string;
	change?: (request: Request, key: string) => Request;
	spoil?: (reply: Response) => Response | Promise<Response>;
}[] = [
	{
		rule: "Requests and replies are JSON",
		spoil: (reply) => {
			if (reply.status >= 400) reply.headers.set("Content-Type", "text/html");
			return reply;
		},
	},
	{
		rule: "No animal has this id",
		change: (request) =>
			new Request(request.url.replace(/\/-?[01]$/, "/1"), request),
	},
	{
		rule: "Pet: It has the fields of NewPet",
		spoil: async (reply) =>
			new Response((await reply.text()).replaceAll("e\u0301", "\u00e9"), reply),
	},
	{
		rule: "Pet: It has the fields of NewPet",
		spoil: async (reply) =>
			new Response(
				(await reply.text()).replace(/"name":"([^"]{50})[^"]*/g, '"name":"$1'),
				reply,
			),
	},
	{
		rule: "If the key is missing or invalid",
		change: (request, key) => {
			const given = request.headers.get("Authorization");
			if (given === `Bearer ${key}-x`)
				request.headers.set("Authorization", `Bearer ${key}`);
			return request;
		},
	},
];

test.each(faults)("finds the fault in: $rule", async (fault) => {
	const { change = (request) => request, spoil = (reply) => reply } = fault;
	const service = await openService("in process");
	const target = await toTarget(service);
	const { send, key } = target;
	const wrong = {
		...target,
		send: async (request: Request) => spoil(await send(change(request, key))),
	};
	const contract = cases.filter(({ rule }) => !rule.isAddition);
	const failed = (await Array.fromAsync(run(contract, wrong))).filter(
		({ failure }) => failure !== undefined,
	);
	expect(failed).not.toBeEmpty();
	for (const { case: one } of failed)
		expect(one.rule.text).toContain(fault.rule);
	await service.close();
});

test("a case fails by each part of a reply that differs from what it expects", () => {
	const countProblems = (expected: Expectation, body: string) =>
		check(
			expected,
			{
				status: 404,
				headers: new Headers({ Allow: "PUT", Vary: "Origin" }),
				bytes: Buffer.from(body),
			},
			(text) => text,
			() => "[]",
		).length;
	const headers = { Allow: "GET", Vary: null, ETag: /^"/ };
	expect(
		countProblems(
			{ status: 400, error: "invalid_body", message: /name/, headers },
			'{"code":"not_found","message":"x","status":404}',
		),
	).toBe(7);
	expect(
		countProblems(
			{
				...{ status: 404, empty: true, text: /^x/, sameAs: "first" },
				pet: { categoryId: "9007199254740993", status: "sold" },
			},
			'{"id":1.5,"name":"x","categoryId":9007199254740992}',
		),
	).toBe(6);
	// A full page may lack the expected animal, since the document promises no order.
	const listed = (...ids: number[]) =>
		countProblems(
			{ status: 404, pets: { has: ["7"], fullAt: 2 } },
			JSON.stringify(ids.map((id) => ({ id, name: "x", categoryId: 1 }))),
		);
	expect([listed(1, 2), listed(7), listed(1)]).toEqual([0, 0, 1]);
});
