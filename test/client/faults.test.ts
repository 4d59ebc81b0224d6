// The client against the sandbox: its suite, and each fault of the sandbox.
import { expect, test } from "bun:test";
import * as client from "../../src/client/client.ts";
import { openSandboxForFile } from "../sandbox/open.ts";
import { failure } from "./scripted.ts";
import { runSuite } from "./suite.ts";

const sandbox = openSandboxForFile();
const key = "sandbox";
const newPet = { name: "Rex", categoryId: 2n };

function open(options: Partial<client.ClientOptions> = {}): client.Client {
	return client.createClient({ url: sandbox().url, key, ...options });
}

async function statuses(): Promise<(number | null)[]> {
	return (await sandbox().requests()).map(({ status }) => status);
}

test("passes its suite", async () => {
	const { url } = sandbox();
	expect(await runSuite({ client, url, key })).not.toBeEmpty();
});

test("repeats a call after 408, 429, 500 and 503 until it succeeds", async () => {
	await sandbox().putFaults([
		{ operation: "createPet", status: 408 },
		{ operation: "createPet", status: 500 },
		{ operation: "listPets", status: 429 },
		{ operation: "getPet", status: 503 },
	]);
	const { createPet, readPage, getPet } = open();
	const [added, page, pet] = await Promise.all([
		createPet(newPet),
		readPage({ limit: 3 }),
		getPet(7n),
	]);
	expect([added.id, page.pets.length, pet.id]).toEqual([251n, 3, 7n]);
	expect((await statuses()).toSorted()).toEqual([
		...[200, 200, 201],
		...[408, 429, 500, 503],
	]);
});

test.each([
	["listPets", 400, "invalid_parameter"],
	["listPets", 401, "unauthenticated"],
	["createPet", 403, "forbidden"],
	["getPet", 404, "not_found"],
	["createPet", 413, "payload_too_large"],
	["createPet", 415, "unsupported_media_type"],
	["createPet", 422, "idempotency_mismatch"],
])(
	"%s: does not repeat a call after %d, and reports the code %s",
	async (operation, status, code) => {
		await sandbox().putFaults([{ operation, status, times: "always" }]);
		const { createPet, readPage, getPet } = open();
		const calls: Record<string, () => Promise<unknown>> = {
			listPets: () => readPage(),
			createPet: () => createPet(newPet),
			getPet: () => getPet(1n),
		};
		const error = await failure(calls[operation]?.() ?? Promise.resolve());
		expect([error.code, error.status]).toEqual([code, status]);
		expect(await statuses()).toEqual([status]);
	},
);

test("repeats a call whose reply is late, and reports a timeout without retries", async () => {
	const rule = { operation: "getPet", delay: 60_000 };
	await sandbox().putFaults([rule]);
	expect((await open({ timeout: 100 }).getPet(7n)).id).toBe(7n);
	await sandbox().putFaults([rule]);
	const { getPet } = open({ timeout: 20, retries: 0 });
	expect((await failure(getPet(7n))).code).toBe("timeout");
});

test("waits for a delayed reply within the timeout", async () => {
	await sandbox().putFaults([{ delay: 50 }]);
	const begun = performance.now();
	await open().getPet(7n);
	expect(performance.now() - begun).toBeGreaterThan(45);
	expect(await statuses()).toEqual([200]);
});

test("repeats a call whose connection is cut before it is done, and reports a network error without retries", async () => {
	const rule = { operation: "listPets", drop: "before" };
	await sandbox().putFaults([rule]);
	expect((await open().readPage({ limit: 3 })).pets).toHaveLength(3);
	expect(await statuses()).toEqual([null, 200]);
	// Bun's fetch itself repeats a read once on a connection that it has used before.
	await sandbox().putFaults([{ ...rule, times: "always" }]);
	const { readPage } = open({ retries: 0 });
	expect((await failure(readPage())).code).toBe("network");
});

test("repeats an add with its Idempotency-Key if the connection is cut after the commit, and adds one animal", async () => {
	await sandbox().putFaults([{ operation: "createPet", drop: "after-commit" }]);
	const added = await open().createPet(newPet);
	const sent = await sandbox().requests();
	expect(sent.map(({ status }) => status)).toEqual([null, 201]);
	const keys = sent.map(({ headers }) => headers["idempotency-key"]);
	expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
	const found: client.Pet[] = [];
	for await (const pet of open().listPets())
		if (pet.name === newPet.name && pet.categoryId === 2n) found.push(pet);
	expect(found).toEqual([added]);
	expect(added.id).toBe(251n);
});

test("returns the animal of a lost reply to a later add with the same Idempotency-Key", async () => {
	await sandbox().putFaults([{ operation: "createPet", drop: "after-commit" }]);
	const { createPet } = open({ retries: 0 });
	const add = () => createPet(newPet, { idempotencyKey: "order-17" });
	expect((await failure(add())).code).toBe("network");
	const added = await open().getPet(251n);
	expect(added.name).toBe(newPet.name);
	expect(await add()).toEqual(added);
});
