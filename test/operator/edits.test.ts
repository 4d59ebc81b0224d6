// Edits over HTTP: what one request changed, and its undo.
import { describe, expect, test } from "bun:test";
import { backUp, restore } from "../harness/backup.ts";
import { expectError, onEachService } from "../service.ts";

onEachService((service) => {
	const prefix = "/operator/v1";
	const send = (path: string, body?: unknown, method = "POST") =>
		service().call(prefix + path, {
			method,
			...(body !== undefined && {
				body: typeof body === "string" ? body : JSON.stringify(body),
			}),
		});
	const read = async (path: string) =>
		(await service().call(prefix + path)).json();
	const editOf = (reply: Response) => Number(reply.headers.get("edit-id"));
	const undo = (edit: number) => send(`/edits/${edit}/undo`);
	const undone = async (edit: number) => {
		const reply = await undo(edit);
		expect(reply.status).toBe(200);
		return reply.json();
	};
	const load = (lines: string, query = "") =>
		service().call(`${prefix}/pets/import?format=csv${query}`, {
			method: "POST",
			body: lines,
			headers: { "Content-Type": "text/csv" },
		});
	const pet = async (id: number) => {
		const reply = await service().call(`${prefix}/pets/${id}`);
		return reply.status === 404 ? undefined : reply.json();
	};
	const count = async (query = "") =>
		(await read(`/pets/count?${query}`)).pets as number;
	/** Imports animals with these names, and returns their edit and first id. */
	const add = async (...names: readonly string[]) => {
		const reply = await load(
			["name,categoryId", ...names.map((name) => `${name},7`)].join("\n"),
		);
		expect(reply.status).toBe(200);
		const edit = editOf(reply);
		const { addedIds } = await read(`/edits/${edit}`);
		return { edit, id: Number(addedIds.from), to: Number(addedIds.to) };
	};

	describe("Edits", () => {
		test("each change is an edit, with who made it and its entries, and one that changes nothing is none", async () => {
			const { edit: imported, id, to } = await add("Ann", "Bob", "Cid");
			expect(to).toBe(id + 2);
			const changed = await send(`/pets/${id}`, { status: "sold" }, "PATCH");
			const same = await send(`/pets/${id}`, { status: "sold" }, "PATCH");
			expect(same.headers.has("edit-id")).toBe(false);
			const removed = await send(`/pets/${id}`, undefined, "DELETE");
			const restored = await send(`/pets/${id}/restore`, { version: id });
			const batch = await send("/pets/batch", {
				changes: [
					{ petId: id, remove: true },
					{ petId: id + 1, set: { name: "Bo" } },
				],
			});
			const by = { kind: "key", keyId: expect.any(Number), name: "test" };
			const { edits, next } = await read("/edits?limit=5");
			expect(edits).toMatchObject([
				{ id: editOf(batch), kind: "changed", changed: 1, removed: 1 },
				{ id: editOf(restored), kind: "changed", added: 1, changed: 0 },
				{ id: editOf(removed), kind: "removed", removed: 1 },
				{ id: editOf(changed), kind: "changed", changed: 1 },
				{ id: imported, kind: "imported", added: 3, by },
			]);
			const rest = await read(`/edits?cursor=${edits[3].id}&limit=1`);
			expect([next === undefined, rest.edits[0].id]).toEqual([true, imported]);
			const { entries } = await read(`/edits/${editOf(batch)}`);
			expect(entries).toMatchObject([
				{ petId: id, kind: "removed", edit: editOf(batch), by },
				{ petId: id + 1, kind: "changed", pet: { name: "Bo" } },
			]);
			expect(await read(`/history?edit=${editOf(batch)}`)).toEqual({
				entries: entries.toReversed(),
			});
		});

		test("an add by an operator is an edit, whose undo removes the animal unless it was changed since", async () => {
			const headers = { "Idempotency-Key": crypto.randomUUID() };
			const body = '{"name":"Ida","categoryId":7}';
			const addIda = () =>
				service().call(`${prefix}/pets`, { method: "POST", headers, body });
			const made = await addIda();
			const { id } = await made.json();
			const edit = editOf(made);
			expect([edit, editOf(await addIda())]).toEqual([id, id]);
			const added = { petId: id, kind: "added", edit, pet: { name: "Ida" } };
			expect((await read(`/edits/${edit}`)).entries).toMatchObject([added]);
			expect((await read(`/pets/${id}/history`)).entries).toHaveLength(1);
			await send(`/pets/${id}`, { status: "sold" }, "PATCH");
			expect((await undo(edit)).status).toBe(409);
			await send(`/pets/${id}`, { status: "available" }, "PATCH");
			expect(await undone(edit)).toMatchObject({ edit: { removed: 1 } });
			expect(await pet(id)).toBeUndefined();
		});

		test("an undo brings all back, can be undone, and then the edit can be undone again", async () => {
			const { id } = await add("Dan", "Eva");
			const before = [await pet(id), await pet(id + 1)];
			const batch = await send("/pets/batch", {
				changes: [
					{ petId: id, remove: true },
					{ petId: id + 1, set: { name: "Eve", status: "sold" } },
				],
			});
			const edit = editOf(batch);
			const first = await undone(edit);
			expect(first).toMatchObject({
				edit: { kind: "undone", added: 1, changed: 1, removed: 0 },
				skipped: [],
				skippedTotal: 0,
			});
			for (const [at, { version: _, ...content }] of before.entries())
				expect(await pet(id + at)).toMatchObject(content);
			expect(await read(`/edits/${edit}`)).toMatchObject({
				undoneBy: first.edit.id,
			});
			await expectError(await undo(edit), "conflict", /already/);

			const redone = await undone(first.edit.id);
			expect(await pet(id)).toBeUndefined();
			expect(await pet(id + 1)).toMatchObject({ name: "Eve", status: "sold" });
			expect(await read(`/edits/${edit}`)).not.toHaveProperty("undoneBy");
			await undone(redone.edit.id);
			expect(await read(`/edits/${edit}`)).toMatchObject({
				undoneBy: first.edit.id,
			});
			expect(await pet(id)).toMatchObject({ name: "Dan" });
			await undone(first.edit.id);
			expect((await undone(edit)).edit).toMatchObject({ added: 1, changed: 1 });
		});

		test("skips and names animals that were changed since; if all were, nothing is done", async () => {
			const { edit, id } = await add("Fay", "Gil", "Hal");
			await send(`/pets/${id + 1}`, { name: "Gill" }, "PATCH");
			await send(`/pets/${id + 2}`, undefined, "DELETE");
			expect(await undone(edit)).toMatchObject({
				edit: { removed: 1 },
				skipped: [id + 1, id + 2],
				skippedTotal: 2,
			});
			expect(await pet(id + 1)).toMatchObject({ name: "Gill" });
			const change = await send(`/pets/${id + 1}`, { name: "Gus" }, "PATCH");
			await send(`/pets/${id + 1}`, { name: "Guy" }, "PATCH");
			const { edits } = await read("/edits?limit=1");
			await expectError(await undo(editOf(change)), "conflict", /since/);
			expect(await read("/edits?limit=1")).toMatchObject({ edits });
			// The same content again is what the edit left, whatever its version.
			await undone(edits[0].id);
			await undone(editOf(change));
			expect(await pet(id + 1)).toMatchObject({ name: "Gill" });
		});

		test("with untouched, takes an animal for changed that has the same content again, and a restore for an end", async () => {
			const untouched = (edit: number) =>
				send(`/edits/${edit}/undo?untouched=true`);
			const { edit, id } = await add("Ida", "Jon", "Kai");
			const removed = await send(`/pets/${id}`, undefined, "DELETE");
			await send(`/pets/${id}/restore`, { version: id });
			await send(`/pets/${id}`, undefined, "DELETE");
			await expectError(await untouched(editOf(removed)), "conflict", /since/);
			const change = await send(`/pets/${id + 1}`, { name: "Jo" }, "PATCH");
			await undone(editOf(change));
			await expectError(await untouched(editOf(change)), "conflict");
			const partly = await untouched(edit);
			expect(await partly.json()).toMatchObject({
				edit: { removed: 1 },
				skipped: [id, id + 1],
			});
			const last = await send(`/pets/${id + 1}`, { name: "Joe" }, "PATCH");
			const { store } = service();
			const { path } = await backUp(store);
			await restore(store, path, { replace: true });
			await expectError(await untouched(editOf(last)), "conflict", /backup/);
			expect((await undo(editOf(last))).status).toBe(200);
		});

		test("undoes an import that changed one animal and added another", async () => {
			const { id } = await add("Ona");
			const lines = `id,name,categoryId\n${id},Oda,7\n,Ott,7`;
			const edit = editOf(await load(lines, "&mode=update"));
			const { addedIds } = await read(`/edits/${edit}`);
			expect(await pet(addedIds.from)).toMatchObject({ name: "Ott" });
			const { changed, removed } = (await undone(edit)).edit;
			expect([changed, removed]).toEqual([1, 1]);
			expect(await pet(id)).toMatchObject({ name: "Ona" });
		});

		test("changes or removes all that match, if they are as many as expected", async () => {
			const { id } = await add("Ida one", "Ida two", "Jan");
			const filter = { name: "IDA " };
			const all = await count();
			expect(await count("name=ida%20&status=available")).toBe(2);
			expect(await count(`id=${id}`)).toBe(1);
			const batch = (body: object) => send("/pets/batch", { filter, ...body });
			const sold = await batch({ expected: 2, set: { status: "sold" } });
			expect([sold.status, await sold.json()]).toEqual([
				200,
				{ changed: 2, removed: 0 },
			]);
			const again = await batch({ expected: 2, set: { status: "sold" } });
			expect(again.headers.get("edit-id")).toBeNull();
			expect(await again.json()).toEqual({ changed: 0, removed: 0 });
			const wrong = await batch({ expected: 3, remove: true });
			expect([wrong.status, await wrong.json()]).toMatchObject([
				412,
				{ code: "precondition_failed", message: expect.stringMatching(/^2 /) },
			]);
			const removed = await batch({ expected: 2, remove: true });
			expect(await removed.json()).toEqual({ changed: 0, removed: 2 });
			expect(await count()).toBe(all - 2);
			await undone(editOf(removed));
			expect(await pet(id)).toMatchObject({ name: "Ida one", status: "sold" });
			expect(await count("status=sold&name=ida")).toBe(2);
			for (const [body, words] of [
				[{ remove: true }, /expected/],
				[{ expected: 2, remove: true, filter: { nme: "x" } }, /nme/],
				[{ expected: 2, remove: true, set: {} }, /either/],
			] as const)
				await expectError(await batch(body), "invalid_body", words);
			expect(await count("name=ida")).toBe(2);
		});

		test("finds entries by a part of a name, also of removed animals", async () => {
			const { id } = await add("Kärl the Great", "Lea");
			await send(`/pets/${id}`, { name: "Karl" }, "PATCH");
			await send(`/pets/${id}`, undefined, "DELETE");
			await send(`/pets/${id + 1}`, { name: "Leo" }, "PATCH");
			const find = async (query: string) =>
				(await read(`/history?${query}`)).entries;
			expect(await find("name=THE%20great")).toMatchObject([
				{ petId: id, kind: "changed" },
			]);
			expect(await find("name=leo")).toHaveLength(1);
			expect(await find("name=karl&limit=1")).toMatchObject([
				{ petId: id, kind: "removed", before: { name: "Karl" } },
			]);
			expect(await find(`petId=${id}&by=test`)).toHaveLength(2);
			expect(await find(`petId=${id}&by=nobody`)).toEqual([]);
			expect(await find("name=%00")).toEqual([]);
			const page = await read(`/history?petId=${id}&by=key&limit=1`);
			const next = `petId=${id}&by=key&limit=1&cursor=${page.next}`;
			expect(await find(next)).toMatchObject([{ kind: "changed" }]);
		});

		test("refuses edits that never were, or whose history has ended", async () => {
			const { edit } = await add("Max");
			for (const id of ["0", "x", "9223372036854775807"])
				await expectError(await send(`/edits/${id}/undo`), "not_found", /edit/);
			await service().store.cleanUp(Date.now() + 1_000, 0);
			await expectError(await undo(edit), "conflict", /no longer/);
			expect((await read("/edits")).edits).toEqual([]);
		});

		test("undoes 2,500 removals, which are more than one part", async () => {
			await add(...Array.from({ length: 2_500 }, (_, at) => `Many ${at}`));
			const filter = { name: "many " };
			const body = { filter, expected: 2_500, remove: true };
			const removed = await send("/pets/batch", body);
			expect(await count("name=many%20")).toBe(0);
			expect((await undone(editOf(removed))).edit.added).toBe(2_500);
			expect(await count("name=many%20")).toBe(2_500);
		});
	});
});
