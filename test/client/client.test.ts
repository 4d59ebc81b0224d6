// The client against the service: its suite, and an add whose reply is lost.
import { afterAll, beforeAll, expect, test } from "bun:test";
import * as client from "../../src/client/client.ts";
import { startProxy } from "../harness/postgres/proxy.ts";
import { openService, type Service } from "../service.ts";
import { runSuite } from "./suite.ts";

let service: Service;
let key: string;
beforeAll(async () => {
	service = await openService("over a socket");
	key = await service.makeKey();
});
afterAll(() => service.close());

test("passes its suite", async () => {
	const { url } = service;
	expect(await runSuite({ client, url, key })).not.toBeEmpty();
});

test("repeats an add whose reply is lost with the same Idempotency-Key, and adds one animal", async () => {
	const proxy = await startProxy(service.url);
	const store = client.createClient({ url: proxy.url, key });
	proxy.dropReplyTo("POST /v1/pets");
	const pet = await store.createPet({ name: "Rex", categoryId: 77n });
	expect(proxy.droppedReplies()).toBe(1);
	const found = [];
	for await (const one of store.listPets())
		if (one.categoryId === 77n) found.push(one);
	expect(found).toEqual([pet]);
	proxy.close();
});
