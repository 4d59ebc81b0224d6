// Compares the service with a model of the catalogue: random calls of several clients, some at the same time.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { CallOptions, Service } from "../service.ts";
import { type Step, steps, toCall } from "./calls.ts";
import {
	type Call,
	type ChangePets,
	type Client,
	type Exchange,
	emptyModel,
	explain,
	type Reply,
	toChangedReply,
	toNewVersions,
} from "./model.ts";
import { property, withTwoServices } from "./property.ts";

const seen = new Set<string>();

describe.each([
	["sqlite", 150],
	["postgres", 12],
] as const)("%s", (engine, runs) => {
	property(
		"answers like the model with two services on one database, and answers calls at the same time as in some order",
		runs,
		fc.asyncProperty(rounds(), (rounds) =>
			withTwoServices(engine, async (services) => {
				const keys = {
					shop: await services[0].makeKey(),
					partner: await services[0].makeKey(),
				};
				let model = emptyModel;
				for (const round of [...rounds, [listAll]]) {
					const exchanges = await Promise.all(
						round.map((step) =>
							exchange(services[step.copy], keys, toCall(step, model)),
						),
					);
					const explained = explain(model, exchanges);
					if (explained === undefined)
						throw new Error(`No order explains ${Bun.inspect(exchanges)}`);
					model = explained;
					for (const { call, reply } of exchanges)
						seen.add(`${call.operation}: ${outcomeOf(call, reply)}`);
				}
			}),
		),
	);
});

// Otherwise calls that never concern the same animal would pass without a test of the model.
test("gets every kind of reply to the random calls", () => {
	expect([...seen].toSorted()).toEqual([
		"changePets: changed",
		"changePets: differs",
		"changePets: missing",
		"changePets: removed",
		"createPet: added",
		"createPet: idempotency_mismatch",
		"createPet: replayed",
		"getPet: got",
		"getPet: not_found",
		"listPets: further page",
		"listPets: page",
	]);
});

/** The calls of a round are sent at the same time, after all replies to the round before. */
function rounds(): fc.Arbitrary<Step[][]> {
	const one = fc.tuple(steps());
	const several = fc.array(steps(), { minLength: 2, maxLength: 4 });
	return fc.array(fc.oneof(one, several), { maxLength: 30, size: "max" });
}

const listAll: Step = {
	operation: "listPets",
	client: "shop",
	copy: 0,
	limit: 100,
	status: undefined,
	cursor: undefined,
};

type HttpCall = Exclude<Call, ChangePets>;

async function exchange(
	service: Service,
	keys: Readonly<Record<Client, string>>,
	call: Call,
): Promise<Exchange> {
	if (call.operation === "changePets")
		return { call, ...(await change(service, call)) };
	const { path, ...options } = toRequest(call);
	const response = await service.call(path, {
		...options,
		authorization: `Bearer ${keys[call.client]}`,
	});
	const { headers } = response;
	const id = /^\/v1\/pets\/(\d+)$/.exec(headers.get("Location") ?? "")?.[1];
	const link = /[?&]cursor=([^&>]+)>; rel="next"/.exec(
		headers.get("Link") ?? "",
	);
	return {
		call,
		reply: await toReply(call, response),
		choice: {
			newId: id === undefined ? undefined : BigInt(id),
			newCursor: link?.[1],
		},
	};
}

async function change(
	{ store }: Service,
	{ changes }: ChangePets,
): Promise<Omit<Exchange, "call">> {
	const changed = await store.catalogue.changePets(changes);
	return {
		reply: toChangedReply(changed),
		choice: { newVersions: toNewVersions(changed) },
	};
}

function toRequest(call: HttpCall): CallOptions & { path: string } {
	switch (call.operation) {
		case "listPets": {
			const { limit, status, cursor } = call;
			const query = Object.entries({ limit, status, cursor })
				.filter(([, value]) => value !== undefined)
				.map(([name, value]) => `${name}=${value}`);
			return { path: `/v1/pets?${query.join("&")}` };
		}
		case "createPet":
			return {
				path: "/v1/pets",
				method: "POST",
				body: call.body,
				headers: { "Idempotency-Key": call.idempotencyKey },
			};
		case "getPet":
			return { path: `/v1/pets/${call.petId}` };
	}
}

async function toReply(
	{ operation }: HttpCall,
	response: Response,
): Promise<Reply> {
	const { headers } = response;
	const text = await response.text();
	if (!response.ok) return { refused: JSON.parse(text).code };
	switch (operation) {
		case "listPets":
			return { pets: text, more: headers.has("Link") };
		case "createPet":
			return { added: text, replayed: headers.has("Idempotency-Replayed") };
		case "getPet":
			return { got: text, version: versionOf(headers.get("ETag")) };
	}
}

/** The last part of the ETag. The rest is the same for all animals of a database. */
function versionOf(tag: string | null): bigint {
	return BigInt(/^"[0-9]+-([0-9]+)"$/.exec(tag ?? "")?.[1] ?? 0);
}

function outcomeOf(call: Call, reply: Reply): string {
	if ("refused" in reply) return reply.refused.replace(/ \d+(:.*)?$/, "");
	if ("changed" in reply)
		return reply.changed.includes("removed") ? "removed" : "changed";
	if ("added" in reply) return reply.replayed ? "replayed" : "added";
	if ("got" in reply) return "got";
	return "cursor" in call && call.cursor !== undefined
		? "further page"
		: "page";
}
