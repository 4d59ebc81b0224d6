// Starts pet stores through the package. It uses only node:test, so that Node.js and Bun can run it in a project in which the package is
// installed.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type * as Client from "../../src/client/client.ts";
import type * as Testing from "../../src/testing/testing.ts";

export interface Modules {
	readonly PetstoreError: typeof Client.PetstoreError;
	readonly startPetstore: typeof Testing.startPetstore;
}

export function defineSuite({ PetstoreError, startPetstore }: Modules): void {
	let store: Testing.Petstore;
	before(async () => {
		store = await startPetstore({ pets: 3 });
	});
	beforeEach(() => store.reset());
	after(() => store.stop());

	test("a store has the animals that it was started with, and a client for it", async () => {
		assert.match(store.url, /^http:\/\/127\.0\.0\.1:\d+$/);
		assert.equal(store.key, "sandbox");
		assert.deepEqual(await names(store), ["Renée", "Bear", "Shadow"]);
	});

	test("a reset brings back the animals of the start, or others", async () => {
		const { id } = await store.client.createPet({
			name: "Rex",
			categoryId: 1n,
		});
		assert.equal(id, 4n);
		await store.reset();
		assert.deepEqual(await names(store), ["Renée", "Bear", "Shadow"]);
		await store.reset({ pets: 1, seed: 42 });
		assert.deepEqual(await names(store), ["Clover"]);
		await store.reset();
		assert.equal((await names(store)).length, 3);
	});

	test("fault rules are replaced, and a wrong one is refused with a sentence that names it", async () => {
		await store.faults([{ operation: "getPet", status: 404, times: "always" }]);
		await assert.rejects(store.client.getPet(1n), { code: "not_found" });
		await store.faults([{ operation: "listPets", status: 401 }]);
		assert.equal((await store.client.getPet(1n)).id, 1n);
		await assert.rejects(names(store), { code: "unauthenticated" });
		await assert.rejects(store.faults([{ status: 200 }]), {
			code: "invalid_body",
			status: 400,
			message: /^\[0\]\.status must be an error/,
		});
	});

	test("an add whose reply is lost is repeated, which the recorded requests show", async () => {
		await store.faults([{ operation: "createPet", drop: "after-commit" }]);
		await store.client.createPet({ name: "Rex", categoryId: 1n });
		const [first, second, ...further] = await store.requests();
		assert.deepEqual([first?.status, second?.status], [null, 201]);
		assert.deepEqual([first?.method, first?.path], ["POST", "/v1/pets"]);
		assert.equal(first?.body, '{"name":"Rex","categoryId":1}');
		assert.ok(first?.headers["idempotency-key"]);
		assert.deepEqual(
			{ ...second?.headers, connection: "" },
			{ ...first?.headers, connection: "" },
		);
		assert.deepEqual(further, []);
		assert.equal((await names(store)).length, 4);
	});

	test("a store may be started with faults, and be stopped twice while a request waits", async () => {
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

	test("a store is stopped at the end of its block", async () => {
		let url = "";
		{
			await using other = await startPetstore();
			url = other.url;
			assert.equal((await fetch(url)).status, 200);
		}
		await assert.rejects(fetch(url));
	});

	test("a start with wrong options is refused with a sentence that names them", async () => {
		await assert.rejects(
			startPetstore({ pets: 1.5 }),
			/--pets.*must be a whole number from 0 to 1000000\./,
		);
		await assert.rejects(startPetstore({ faults: [{ delay: 60_001 }] }), {
			message: /^\[0\]\.delay must be/,
		});
	});

	test("an option that does not exist is refused with a suggestion", async () => {
		const wrong = JSON.parse('{"pet":3}');
		const refusal = {
			name: "TypeError",
			message: "unknown option pet; did you mean pets?",
		};
		await assert.rejects(startPetstore(wrong), refusal);
		await assert.rejects(store.reset(wrong), refusal);
	});

	test("a test that replaces fetch can still use its store", async () => {
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

async function names({ client }: Testing.Petstore): Promise<string[]> {
	const found: string[] = [];
	for await (const { name } of client.listPets()) found.push(name);
	return found;
}
