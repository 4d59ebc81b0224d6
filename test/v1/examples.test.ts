// The examples of openapi.json are true: they fit their schemas, and the service gives exactly these replies.
import { expect, test } from "bun:test";
import openapi from "../../openapi.json" with { type: "json" };
import { operations } from "../../src/contract/v1/operations.ts";
import { openPetstore } from "../../src/petstore.ts";
import {
	type Call,
	type Calls,
	documentedIn,
	expectComplete,
	expectFitting,
	type NamedReply,
	named,
	repliesIn,
	replyAboveRateLimit,
	replyAfterFailure,
	replyWithoutIds,
	replyWithoutKey,
	send,
} from "../examples.ts";
import { makeKey } from "../harness/key.ts";
import { silentLog } from "../harness/log.ts";
import { startProxy } from "../harness/postgres/proxy.ts";
import { createDatabase } from "../harness/postgres/server.ts";
import { type CallOptions, openService } from "../service.ts";

test("every operation has examples of its body, of its success and of each of its errors", () => {
	expectComplete(openapi, operations);
});

test("every example fits the schema of its body", () => {
	expectFitting(openapi);
});

test("gives the replies of the examples", async () => {
	const replies = await Promise.all([
		replyToStory(),
		replyAboveRateLimit(calls),
		replyAfterFailure(calls),
		replyWithoutIds(calls),
		replyWithoutPostgres(),
	]);
	expect(Object.fromEntries(replies.flat())).toEqual(
		repliesIn(documentedIn(openapi)),
	);
}, 60_000);

/** The examples of requests, sent to an empty catalogue, and refused requests. */
async function replyToStory(): Promise<NamedReply[]> {
	const { call, makeKey, close } = await openService("over a socket");
	const replies = [await named("listPets noAnimals", call("/v1/pets"))];
	for (const [name, value] of Object.entries(requestExamples))
		replies.push(
			await named(`createPet ${name}`, post(call, JSON.stringify(value))),
		);
	for (const [name, path] of [
		["listPets twoAnimals", "/v1/pets"],
		["getPet animal", "/v1/pets/1"],
		["getPet noAnimal", "/v1/pets/99"],
		["listPets limit", "/v1/pets?limit=0"],
		["listPets status", "/v1/pets?status=gone"],
		["listPets cursor", "/v1/pets?cursor=x"],
	] as const)
		replies.push(await named(name, call(path)));
	await post(call, rex, { headers: { "Idempotency-Key": "k" } });
	const authorization = `Bearer ${await makeKey({ scope: "read" })}`;
	for (const [name, body, options] of [
		["notJson", '{"name":"Rex",}'],
		["notNewPet", '{"name":5,"status":"gone"}'],
		["idempotencyKey", rex, { headers: { "Idempotency-Key": "a b" } }],
		["readKey", rex, { authorization }],
		["largeBody", "x".repeat(65_537)],
		["mediaType", rex, { headers: { "Content-Type": "text/plain" } }],
		["anotherAnimal", max, { headers: { "Idempotency-Key": "k" } }],
		["slowBody", new ReadableStream()],
	] as const)
		replies.push(await named(`createPet ${name}`, post(call, body, options)));
	replies.push(...(await replyWithoutKey(call, calls)));
	await close();
	return replies;
}

async function replyWithoutPostgres(): Promise<NamedReply[]> {
	const database = await createDatabase();
	const proxy = await startProxy(database.url);
	const apiKey = "a-key-known-to-the-tests";
	const service = await openPetstore({
		database: proxy.url,
		apiKey,
		log: { to: silentLog },
	});
	const { key, record } = makeKey();
	await service.store.keys.add(record);
	const call: Call = async (path, { authorization, headers, ...rest } = {}) =>
		service.fetch(
			new Request(`http://petstore.test${path}`, {
				method: rest.method ?? "GET",
				body: rest.body ?? null,
				headers: {
					Authorization: authorization ?? `Bearer ${apiKey}`,
					...(headers?.["Idempotency-Key"] && { "Idempotency-Key": "k" }),
				},
			}),
		);
	await post(call, rex);
	proxy.dropReplyTo("addPets");
	const replies = [await named("createPet mayBeAdded", post(call, rex))];
	proxy.dropReplyTo("addPets");
	const withKey = { headers: { "Idempotency-Key": "k" } };
	replies.push(
		await named("createPet mayBeAddedWithKey", post(call, rex, withKey)),
	);
	proxy.close();
	for (const [id, options] of Object.entries(calls)) {
		const name = id === "createPet" ? "nothingAdded" : "storeUnavailable";
		replies.push(
			await named(`${id} ${name}`, send(call, options)),
			await named(`${id} keyNotLookedUp`, send(call, options, `Bearer ${key}`)),
		);
	}
	await service.stop();
	await database.remove();
	return replies;
}

const rex = '{"name":"Rex","categoryId":1}';
const max = '{"name":"Max","categoryId":1}';

const calls: Calls = {
	listPets: { path: "/v1/pets" },
	createPet: { path: "/v1/pets", method: "POST", body: rex },
	getPet: { path: "/v1/pets/1" },
};

const requestExamples = operations.createPet.examples.request;

function post(
	call: Call,
	body: CallOptions["body"],
	options: CallOptions = {},
): Promise<Response> {
	return call("/v1/pets", { ...options, method: "POST", body });
}
