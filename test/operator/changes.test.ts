// listChanges: the pages of the feed, and who may read them.
import { expect, test } from "bun:test";
import { toPet } from "../harness/pet.ts";
import { add, expectError, onEachService, openService } from "../service.ts";

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
		// A reader of the feed, whose key may only read, does not learn the names of keys.
		delete pet.addedBy.name;
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

	test.each(["after=-1", "after=01", "after=", "limit=0", "limit=1001"])(
		"refuses %s",
		async (query) => {
			const response = await service().call(`${path}?${query}`);
			const message = new RegExp(`^${query.split("=")[0]} must be`);
			await expectError(response, "invalid_parameter", message);
		},
	);

	test.each(["1", "18446744073709551616"])(
		"answers 410 to the position %s, which is not of this database",
		async (after) => {
			const response = await service().call(`${path}?after=${after}`);
			await expectError(response, "gone", /^after .*after=0\.$/);
		},
	);

	test("gives 1,000 changes with the longest names on one page", async () => {
		const { next: start } = await read("?after=now");
		const name = "\u0001".repeat(255);
		const { catalogue } = service().store;
		await Promise.all(
			Array.from({ length: 1_000 }, () =>
				catalogue.addPet({ pet: toPet({ name }) }),
			),
		);
		await waitFor(async () => {
			const { changes, more } = await read(`?after=${start}&limit=1000`);
			return changes.length === 1_000 && !more && changes[0].pet.name === name;
		});
	});
});

test("gives the feed to keys of all scopes except metrics", async () => {
	const { call, makeKey, close } = await openService("in process");
	for (const scope of ["read", "read-write", "operator", "metrics"] as const) {
		const authorization = `Bearer ${await makeKey({ scope })}`;
		const { status } = await call(path, { authorization });
		expect([scope, status]).toEqual([scope, scope === "metrics" ? 403 : 200]);
	}
	await close();
});

/** The feed of PostgreSQL waits for open transactions of other tests on the same server. */
async function waitFor(check: () => Promise<boolean>): Promise<void> {
	const deadline = performance.now() + 10_000;
	while (!(await check())) {
		if (performance.now() > deadline) throw new Error("It never happened.");
		await Bun.sleep(10);
	}
}
