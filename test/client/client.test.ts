// The client against the service: its suite on both engines, and adds whose replies are lost.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as client from "../../src/client/client.ts";
import { startProxy } from "../harness/postgres/proxy.ts";
import { openService, type Service, startMs } from "../service.ts";
import { runSuite } from "./suite.ts";

describe.each(["sqlite", "postgres"] as const)("%s", (engine) => {
	let service: Service;
	beforeAll(async () => {
		service = await openService("over a socket", { engine });
	}, startMs);
	afterAll(() => service.close());

	test("passes its suite", async () => {
		const { url } = service;
		const key = await service.makeKey();
		expect(await runSuite({ client, url, key })).not.toBeEmpty();
	});

	describe("Client: retries", () => {
		test("repeats an add whose reply is lost with the same Idempotency-Key, and adds one animal", async () => {
			const proxy = await startProxy(service.url);
			const key = await service.makeKey();
			const store = client.createClient({ url: proxy.url, key });
			proxy.dropReplyTo("POST /v1/pets");
			const pet = await store.createPet({ name: engine, categoryId: 77n });
			expect(proxy.droppedReplies()).toBe(1);
			const found = [];
			for await (const one of store.listPets())
				if (one.categoryId === 77n) found.push(one);
			expect(found).toEqual([pet]);
			proxy.close();
		});
	});
});
