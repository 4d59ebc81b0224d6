// Starts pet stores through the package. It uses only node:test, so that Node.js and Bun can run it in a project that has the package
// installed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, beforeEach, test } from "node:test";
import type * as Client from "../../src/client/client.ts";
import type * as Testing from "../../src/testing/testing.ts";

export interface Modules {
	readonly PetstoreError: typeof Client.PetstoreError;
	readonly startPetstore: typeof Testing.startPetstore;
	readonly connectPetstore: typeof Testing.connectPetstore;
}

export function defineSuite({
	PetstoreError,
	startPetstore,
	connectPetstore,
}: Modules): void {
	let store: Testing.Petstore;
	before(async () => {
		store = await startPetstore({ pets: 3 });
	});
	beforeEach(() => store.reset());
	after(() => store.stop());

	test("starts a store with the given number of animals, and resets them to those or to others", async () => {
		assert.match(store.url, /^http:\/\/127\.0\.0\.1:\d+$/);
		assert.equal(store.key, "sandbox");
		const start = ["Renée", "Bear", "Shadow"];
		assert.deepEqual(await names(store), start);
		const rex = { name: "Rex", categoryId: 1n };
		assert.equal((await store.client.createPet(rex)).id, 4n);
		await store.reset();
		assert.deepEqual(await names(store), start);
		await store.reset({ pets: 1, seed: 42 });
		assert.deepEqual(await names(store), ["Clover"]);
		await store.reset();
		assert.equal((await names(store)).length, 3);
	});

	test("replaces fault rules, and names the value of a wrong one", async () => {
		await store.faults([{ operation: "getPet", status: 404, times: "always" }]);
		await assert.rejects(store.client.getPet(1n), { code: "not_found" });
		await store.faults([{ operation: "listPets", status: 401 }]);
		assert.equal((await store.client.getPet(1n)).id, 1n);
		await assert.rejects(names(store), { code: "unauthenticated" });
		await assert.rejects(store.faults([{ status: 200 }]), {
			code: "invalid_body",
			status: 400,
			message: /^\[0\]\.status must be a whole number from 400 to 599/,
		});
	});

	test("starts with the caller's own animals, with exact numbers and their ids", async () => {
		const rex = { id: 7n, name: "Rex", categoryId: 9007199254740993n };
		await using other = await startPetstore({ pets: [rex], key: "mine" });
		assert.equal(other.key, "mine");
		const stored = { ...rex, status: "available" };
		assert.deepEqual(await other.client.getPet(7n), stored);
		await other.client.createPet({ name: "Tom", categoryId: 1n });
		await other.reset();
		assert.deepEqual(await names(other), ["Rex"]);
		await other.reset({ pets: [{ name: "Kim", categoryId: 1n }] });
		assert.equal((await other.client.getPet(1n)).name, "Kim");
		await other.reset();
		assert.deepEqual(await names(other), ["Rex"]);
		for (const [wrong, rule] of [
			[{ ...rex, id: 7 }, /^TypeError: pets\[1\]\.id must be .*bigint/],
			[null, /^TypeError: pets\[1\]\.name must be a string/],
			[{ ...rex, name: "x".repeat(256) }, /Error: pets\[1\]\.name must not/],
			[rex, /Error: pets\[1\]\.id 7 is used twice/],
		] as const) {
			const pets = [rex, wrong as never];
			await assert.rejects(other.reset({ pets }), rule);
			await assert.rejects(startPetstore({ pets }), rule);
		}
	});

	test("serves the pages of a store", async () => {
		const headers = { Accept: "text/html" };
		const page = await fetch(`${store.url}/docs`, { headers });
		assert.equal(page.status, 200);
	});

	test("filters recorded requests, and waits for them", async () => {
		const since = new Date();
		setTimeout(
			() => store.client.createPet({ name: "Rex", categoryId: 1n }),
			30,
		);
		const found = await store.requests({ operation: "createPet", count: 1 });
		assert.equal(found.length, 1);
		assert.equal((await store.requests({ method: "GET" })).length, 0);
		assert.equal((await store.requests({ since })).length, 1);
		await assert.rejects(store.requests({ opperation: "x" } as never), {
			message: /^opperation is unknown;/,
		});
	});

	test("rejects if fewer requests come in time, and says which came", async () => {
		const filter = { operation: "createPet", count: 1, wait: 50 } as const;
		const message = /^Only 0 of 1 .*createPet.*\. None came\.$/;
		await assert.rejects(store.requests(filter), { message });
		await store.client.getPet(1n);
		await assert.rejects(store.requests(filter), {
			code: "timeout",
			message: /^Only 0 of 1 .*createPet.*\nGET \/v1\/pets\/1 200$/s,
		});
	});

	test("controls a store that already runs", async () => {
		const key = "another";
		await using running = await startPetstore({ pets: 2, key });
		const other = connectPetstore({ url: `${running.url}/`, key });
		assert.equal((await other.client.getPet(2n)).id, 2n);
		await other.reset({ pets: 1 });
		assert.equal((await names(other)).length, 1);
		const stranger = connectPetstore({ url: running.url });
		await assert.rejects(stranger.client.getPet(1n), { status: 401 });
	});

	test("takes the options of the client, for example how often it repeats a request", async () => {
		const client = { retry: { times: 2, delay: 1 }, timeout: 5_000, fetch };
		await using other = await startPetstore({ pets: 1, ...client });
		await other.faults([{ status: 500, times: "always" }]);
		await assert.rejects(other.client.getPet(1n), { status: 500 });
		assert.equal((await other.requests()).length, 3);
	});

	test("records that the client repeats an add whose reply is lost", async () => {
		await store.faults([{ operation: "createPet", drop: "after-commit" }]);
		await store.client.createPet({ name: "Rex", categoryId: 1n });
		const statuses = (await store.requests()).map(({ status }) => status);
		assert.deepEqual(statuses, [null, 201]);
		assert.equal((await names(store)).length, 4);
	});

	test("starts with faults, and stops twice while a request waits", async () => {
		const other = await startPetstore({
			faults: [{ operation: "getPet", status: 401 }, { delay: 60_000 }],
		});
		await assert.rejects(other.client.getPet(1n), { code: "unauthenticated" });
		const headers = { Authorization: `Bearer ${other.key}` };
		const waiting = fetch(`${other.url}/v1/pets`, { headers }).catch(() => {});
		const rules = async () =>
			(await fetch(`${other.url}/sandbox/faults`)).text();
		while ((await rules()) !== "[]");
		await Promise.all([other.stop(), other.stop()]);
		await other.stop();
		await waiting;
		const error = await other.reset().catch((reason: unknown) => reason);
		assert.ok(error instanceof PetstoreError);
		assert.equal(error.code, "network");
		await assert.rejects(fetch(other.url));
	});

	test("stops at the end of its block, and names a wrong value or an unknown option of a start", async () => {
		let url = "";
		{
			await using other = await startPetstore();
			url = other.url;
			assert.equal((await fetch(url)).status, 200);
		}
		await assert.rejects(fetch(url));
		const message = /^pets must be a whole number/;
		await assert.rejects(store.reset({ pets: "3" as never }), { message });
		for (const [options, message] of [
			[{ pets: null as never }, /--pets/],
			[{ pets: 1.5 }, /--pets.*must be a whole number/],
			[{ faults: [{ delay: 60_001 }] }, /faults\[0\]\.delay must be/],
			[{ timeout: -1 }, /^timeout must be/],
		] as const)
			await assert.rejects(startPetstore(options), { message });
		const children = `/proc/${process.pid}/task/${process.pid}/children`;
		assert.match(readFileSync(children, "utf8"), /^\d+ $/);
		const wrong = JSON.parse('{"pet":3}');
		await assert.rejects(startPetstore(wrong), /^TypeError: .* pet;.*pets/);
		await assert.rejects(store.reset(wrong), { message: /^pet is unknown/ });
	});

	test("works in a test that replaces fetch", async () => {
		const { fetch } = globalThis;
		globalThis.fetch = Object.assign(
			async () => new Response("replaced"),
			fetch,
		);
		try {
			await store.reset();
			assert.deepEqual(await store.requests(), []);
		} finally {
			globalThis.fetch = fetch;
		}
	});
}

async function names({ client }: Testing.ConnectedPetstore): Promise<string[]> {
	const found: string[] = [];
	for await (const { name } of client.listPets()) found.push(name);
	return found;
}
