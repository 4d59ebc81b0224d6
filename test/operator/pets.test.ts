// Animals in the operator interface: add, read, change and remove one or many. test/store has versions and conditions.
import { describe, expect, test } from "bun:test";
import {
	add,
	type CallOptions,
	expectError,
	idOf,
	onEachService,
} from "../service.ts";

const pets = "/operator/v1/pets";
const rex = '{"name":"Rex","categoryId":1}';
const apiKey = "a-key-known-to-the-tests";

onEachService(
	(service) => {
		const send = (path: string, method: string, options: CallOptions = {}) =>
			service().call(path, { method, ...options });
		const addRex = async () => {
			const path = `${pets}/${idOf(await add(service(), rex))}`;
			return {
				path,
				id: Number(path.split("/").at(-1)),
				...(await read(path)),
			};
		};
		const read = async (path: string) => {
			const reply = await service().call(path);
			const tag = reply.headers.get("ETag") ?? "";
			return { tag, text: await reply.text() };
		};
		const patch = (path: string, body: string, headers = {}) =>
			send(path, "PATCH", { body, headers });
		const remove = (path: string, headers = {}) =>
			send(path, "DELETE", { headers });
		const toV1 = (path: string) => path.replace("/operator", "");

		describe("addPet", () => {
			test("adds an animal with its address, its time and its key; /v1 shows only the members of a Pet, and a repeated add gets the same reply", async () => {
				const key = await service().makeKey({ scope: "operator" });
				const { id: keyId } = (await service().store.keys.list()).at(-1) ?? {};
				const begun = Date.now();
				const addOnce = () =>
					send(pets, "POST", {
						body: '{"name":"Rex","categoryId":9223372036854775807}',
						authorization: `Bearer ${key}`,
						headers: { "Idempotency-Key": "operator" },
					});
				const added = await addOnce();
				const text = await added.text();
				const pet = JSON.parse(text);
				const path = `${pets}/${pet.id}`;
				expect([added.status, added.headers.get("Location")]).toEqual([
					...[201, path],
				]);
				const members =
					'"name":"Rex","categoryId":9223372036854775807,"status":"available"';
				expect(text).toStartWith(`{"id":${pet.id},${members},`);
				expect(pet).toMatchObject({
					version: pet.id,
					addedBy: { kind: "key", keyId, name: "test" },
				});
				expect(Date.parse(pet.addedAt)).toBeWithin(begun, Date.now() + 1);
				expect((await read(path)).text).toBe(text);
				const found = await read(`${pets}?limit=1`);
				expect(found.text).toStartWith(`{"pets":[${text}]`);
				const own = `{"id":${pet.id},${members}}`;
				expect((await read(toV1(path))).text).toBe(own);
				expect((await read("/v1/pets?limit=1")).text).toBe(`[${own}]`);
				await patch(path, '{"name":"Max"}');
				const again = await addOnce();
				expect(again.headers.has("Idempotency-Replayed")).toBe(true);
				expect(await again.text()).toBe(text);
			});

			test("names the key that added an animal under /v1, and PETSTORE_API_KEY", async () => {
				const { text, path } = await addRex();
				expect(JSON.parse(text)).toMatchObject({
					addedBy: { kind: "key", keyId: 1, name: "test" },
				});
				const authorization = `Bearer ${apiKey}`;
				await send("/v1/pets", "POST", { body: rex, authorization });
				const next = `${pets}/${BigInt(path.split("/").at(-1) ?? "") + 1n}`;
				expect(JSON.parse((await read(next)).text)).toMatchObject({
					addedBy: { kind: "key", name: "PETSTORE_API_KEY" },
				});
			});
		});

		describe("changePet", () => {
			test("replaces the members of the patch exactly, and gives another ETag, the same under /v1", async () => {
				const { path, tag, text } = await addRex();
				const type = { "Content-Type": "text/plain" };
				expect((await patch(path, "{}", type)).status).toBe(415);
				const name = '\u{1F415} 犬 é é \\" ';
				const body = `{"name":${JSON.stringify(name)},"categoryId":-9223372036854775808}`;
				const changed = await patch(path, body, {
					"Content-Type": "application/merge-patch+json",
				});
				expect(changed.status).toBe(200);
				const newText = await changed.text();
				expect(newText).toContain('"categoryId":-9223372036854775808,');
				const { addedAt, addedBy, id } = JSON.parse(text);
				const rest = { id, name, status: "available", addedAt, addedBy };
				expect(JSON.parse(newText)).toMatchObject(rest);
				const newTag = changed.headers.get("ETag") ?? "";
				expect(newTag).not.toBe(tag);
				expect(await read(path)).toEqual({ text: newText, tag: newTag });
				expect((await read(toV1(path))).tag).toBe(newTag);
			});

			test("answers 404 for an animal that does not exist, whatever If-Match says", async () => {
				const { path, tag } = await addRex();
				expect((await remove(path)).status).toBe(204);
				for (const headers of [{}, { "If-Match": tag }, { "If-Match": "*" }]) {
					await expectError(await patch(path, "{}", headers), "not_found");
					await expectError(await remove(path, headers), "not_found");
				}
				for (const gone of [path, toV1(path), `${pets}/0`, `${pets}/x`])
					for (const headers of [{}, { "If-None-Match": "*" }])
						await expectError(
							await service().call(gone, { headers }),
							"not_found",
						);
			});
		});

		describe("If-Match", () => {
			test("changes and removes an animal only with its ETag, and answers 412 with the animal as it is", async () => {
				const { path, tag: old } = await addRex();
				await patch(path, '{"name":"Max 😀"}');
				const { tag } = await read(toV1(path));
				const { text } = await read(path);
				for (const ifMatch of [old, `W/${tag}`]) {
					const headers = { "If-Match": ifMatch };
					for (const reply of [
						await patch(path, '{"name":"Lost"}', headers),
						await remove(path, headers),
					]) {
						expect(await reply.clone().text()).toEndWith(`,"pet":${text}}`);
						await expectError(reply, "precondition_failed");
					}
				}
				expect((await read(path)).text).toBe(text);
				for (const ifMatch of [`, "other" ,,\t${tag} ,W/"x"`, "*"])
					expect(
						(await patch(path, "{}", { "If-Match": ifMatch })).status,
					).toBe(200);
				expect((await remove(path, { "If-Match": tag })).status).toBe(204);
			});
		});

		describe("changePets", () => {
			const batch = (changes: unknown) =>
				send(`${pets}/batch`, "POST", { body: JSON.stringify({ changes }) });

			test("changes and removes animals in the order of the entries", async () => {
				const [one, two] = [await addRex(), await addRex()];
				const done = await batch([
					{ petId: one.id, set: { status: "pending" } },
					{ petId: two.id, remove: true, version: two.id },
					{ petId: one.id, set: { status: "sold", name: "Rexi" } },
				]);
				const { version, ...pet } = JSON.parse((await read(one.path)).text);
				expect([done.status, await done.json()]).toEqual([
					200,
					{ changed: 1, removed: 1, versions: [version, 0, version] },
				]);
				expect(pet).toMatchObject({ name: "Rexi", status: "sold" });
				expect((await service().call(two.path)).status).toBe(404);
			});

			test("does nothing if an entry cannot be done, names its index and shows an animal that has another version", async () => {
				const [one, gone] = [await addRex(), await addRex()];
				await remove(gone.path);
				const entry = { petId: one.id, set: { name: "Not done" } };
				const missing = await batch([entry, { petId: gone.id, set: {} }]);
				expect(await missing.clone().json()).toMatchObject({ index: 1 });
				await expectError(missing, "not_found", /changes\[1\]/);
				const stale = { petId: one.id, remove: true, version: one.id + 1 };
				const refused = await batch([entry, stale]);
				expect(await refused.clone().json()).toMatchObject({
					index: 1,
					pet: JSON.parse(one.text),
				});
				await expectError(refused, "precondition_failed", /changes\[1\]/);
				const wrong = await batch([entry, { ...entry, set: { name: 5 } }]);
				expect(await wrong.clone().json()).toMatchObject({ index: 1 });
				await expectError(wrong, "invalid_body", /changes\[1\]\.set\.name/);
				expect((await read(one.path)).text).toBe(one.text);
			});

			test("takes at most 1,000 entries and 1 MiB", async () => {
				const { id } = await addRex();
				const entries = Array(1_001).fill({ petId: id, set: {} });
				expect((await batch(entries.slice(1))).status).toBe(200);
				await expectError(await batch(entries), "invalid_body", /1,000/);
				const body = " ".repeat(1024 * 1024 + 1);
				const tooLarge = await send(`${pets}/batch`, "POST", { body });
				await expectError(tooLarge, "payload_too_large", /1 MiB/);
			});
		});
	},
	{ apiKey },
);
