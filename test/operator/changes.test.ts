// listChanges: the pages of the feed, and who may read them.
import { describe, expect, test } from "bun:test";
import { toPet } from "../harness/pet.ts";
import { add, expectError, onEachService, openService } from "../service.ts";
import { openQuietly } from "./calls.ts";

const path = "/operator/v1/changes";
const rex = '{"name":"Rex","categoryId":1}';

onEachService((service) => {
	const change = (id: number, method: "PATCH" | "DELETE") =>
		service().call(`/operator/v1/pets/${id}`, {
			method,
			...(method === "PATCH" && { body: '{"status":"sold"}' }),
		});
	const read = async (query = "") =>
		(await service().call(`${path}${query}`)).json();

	test("gives each change once to a reader that follows `next`", async () => {
		const { next } = await read("?limit=1000");
		const { id } = JSON.parse(await add(service(), rex));
		await change(id, "PATCH");
		await waitFor(async () => (await read(`?after=${next}`)).next > next + 1);
		const first = await read(`?after=${next}&limit=1`);
		const pet = await (await service().call(`/operator/v1/pets/${id}`)).json();
		expect(pet.version).toBe(id + 1);
		expect(first).toEqual({
			changes: [{ position: first.next, kind: "added", petId: id, pet }],
			next: first.next,
			more: true,
		});
		const second = await read(`?after=${first.next}`);
		expect(second).toEqual({
			changes: [{ position: second.next, kind: "changed", petId: id, pet }],
			next: second.next,
			more: false,
		});
		expect(await read(`?after=${second.next}`)).toEqual({
			changes: [],
			next: second.next,
			more: false,
		});
	});

	test("gives only later changes to a reader that begins with after=now", async () => {
		const { id: earlier } = JSON.parse(await add(service(), rex));
		await waitFor(async () => {
			const { changes } = await read("?limit=1000");
			return changes.at(-1).petId === earlier;
		});
		const { changes, next, more } = await read("?after=now");
		expect([changes, more]).toEqual([[], false]);
		const { id } = JSON.parse(await add(service(), rex));
		await waitFor(async () => (await read(`?after=${next}`)).next > next);
		const later = await read(`?after=${next}`);
		expect(later.changes).toMatchObject([{ kind: "added", petId: id }]);
	});

	test("shows a removed animal without its content", async () => {
		const { id } = JSON.parse(await add(service(), rex));
		await change(id, "DELETE");
		await waitFor(async () => {
			const last = (await read("?limit=1000")).changes.at(-1);
			return last.petId === id && last.kind === "removed" && !("pet" in last);
		});
	});

	test.each([
		["after=-1", /^after must be/],
		["after=1.5", /^after must be/],
		["after=01", /^after must be/],
		[`after=${10n ** 40n}`, /^after must be/],
		["after=", /^after must be/],
		["after=0&after=0", /^after must not/],
		["limit=0", /^limit must be/],
		["limit=1001", /^limit must be/],
		["limit=x", /^limit must be/],
	])("refuses %s", async (query, message) => {
		const response = await service().call(`${path}?${query}`);
		await expectError(response, "invalid_parameter", message);
	});

	test.each(["1", "18446744073709551616", "99999999999999999999"])(
		"answers 410 to the position %s, which is not of this database",
		async (after) => {
			const response = await service().call(`${path}?after=${after}`);
			await expectError(response, "gone", /^after .*after=0\.$/);
		},
	);

	test("a page has 1,000 changes of animals with short names", async () => {
		const { next: start } = await read("?after=now");
		const pet = toPet({ name: "Rex Junior" });
		const { catalogue } = service().store;
		await Promise.all(
			Array.from({ length: 1_000 }, () => catalogue.addPet({ pet })),
		);
		await waitFor(async () => {
			const { changes, more } = await read(`?after=${start}&limit=1000`);
			return changes.length === 1_000 && !more;
		});
	});
});

describe("Changes feed", () => {
	test("gives the feed to keys of all scopes except metrics", async () => {
		const { call, makeKey, close } = await openService("in process");
		for (const scope of ["read", "read-write", "operator"] as const) {
			const authorization = `Bearer ${await makeKey({ scope })}`;
			expect((await call(path, { authorization })).status).toBe(200);
		}
		const authorization = `Bearer ${await makeKey({ scope: "metrics" })}`;
		await expectError(await call(path, { authorization }), "forbidden");
		await close();
	});

	test("gives 1,000 changes with the longest names on one page", async () => {
		const { call, store, close } = await openService("in process");
		const name = "\u0001".repeat(255);
		await Promise.all(
			Array.from({ length: 1_000 }, () =>
				store.catalogue.addPet({ pet: toPet({ name }) }),
			),
		);
		const { changes, more } = await (await call(`${path}?limit=1000`)).json();
		expect([changes.length, more]).toEqual([1_000, false]);
		expect(changes.at(-1)).toMatchObject({ petId: 1_000, pet: { name } });
		await close();
	});
});

test("answers 410 to a position from before a reset of the sandbox", async () => {
	const { url, stop } = await openQuietly({
		database: "sqlite::memory:",
		sandbox: { pets: 3, seed: 1 },
	});
	const headers = { Authorization: "Bearer sandbox" };
	const { next } = await (await fetch(url + path, { headers })).json();
	await fetch(`${url}/sandbox/reset`, { method: "POST" });
	const reply = await fetch(`${url}${path}?after=${next}`, { headers });
	await expectError(reply, "gone");
	await stop();
});

/** The feed of PostgreSQL waits for open transactions of other tests on the same server. */
async function waitFor(check: () => Promise<boolean>): Promise<void> {
	const deadline = performance.now() + 10_000;
	while (!(await check())) {
		if (performance.now() > deadline) throw new Error("It never happened.");
		await Bun.sleep(10);
	}
}
