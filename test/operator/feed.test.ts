// listChanges: the pages of the feed, and who may read them.
import { expect, test } from "bun:test";
import { waitFor } from "../harness/process.ts";
import { add, expectError, onEachService } from "../service.ts";

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
		// The feed of PostgreSQL waits for open transactions of other tests on the same server.
		await waitFor(async () => (await read(`?after=${next}`)).next > next + 1);
		const first = await read(`?after=${next}&limit=1`);
		const pet = await (await service().call(`/operator/v1/pets/${id}`)).json();
		expect(pet.version).toBe(id + 1);
		// Readers of the feed see the id of a key, not its name.
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
		await change(id, "DELETE");
		await waitFor(
			async () => (await read(`?after=${second.next}`)).next > second.next,
		);
		const third = await read(`?after=${second.next}`);
		expect(third).toEqual({
			changes: [{ position: third.next, kind: "removed", petId: id }],
			next: third.next,
			more: false,
		});
		expect(await read(`?after=${third.next}`)).toEqual({
			changes: [],
			next: third.next,
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

	test("refuses a limit of 1,001, and answers 410 to a position that is not of this database", async () => {
		const refused = await service().call(`${path}?limit=1001`);
		await expectError(refused, "invalid_parameter");
		await expectError(await service().call(`${path}?after=1`), "gone");
	});
});
