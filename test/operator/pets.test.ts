// Animals in the operator interface: add, read, change and remove one or many. test/store has versions and conditions.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	add,
	type CallOptions,
	expectError,
	idOf,
	onEachService,
	openService,
	type Service,
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
			test("adds an animal with its address, its time and its key; /v1 shows only the members of a Pet", async () => {
				const key = await service().makeKey({ scope: "operator" });
				const { id: keyId } = (await service().store.keys.list()).at(-1) ?? {};
				const begun = Date.now();
				const added = await send(pets, "POST", {
					body: '{"name":"Rex","categoryId":9223372036854775807}',
					authorization: `Bearer ${key}`,
				});
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
			});

			test("names the key that added an animal under /v1, and PETSTORE_API_KEY", async () => {
				const { text } = await addRex();
				expect(JSON.parse(text)).toMatchObject({
					addedBy: { kind: "key", keyId: 1, name: "test" },
				});
				const added = await send("/v1/pets", "POST", {
					body: rex,
					authorization: `Bearer ${apiKey}`,
				});
				const { id } = await added.json();
				const pet = JSON.parse((await read(`${pets}/${id}`)).text);
				expect(pet.addedAt).toBeString();
				expect(pet.addedBy).toEqual({ kind: "key", name: "PETSTORE_API_KEY" });
			});

			test("names a wrong Idempotency-Key before a wrong body", async () => {
				const headers = { "Idempotency-Key": "" };
				const reply = await send(pets, "POST", { body: "{}", headers });
				await expectError(reply, "invalid_parameter", /^Idempotency-Key/);
			});

			test("repeats the reply for the same Idempotency-Key byte for byte, even after the animal was changed and removed", async () => {
				const addOnce = async () => {
					const headers = { "Idempotency-Key": "operator" };
					const reply = await send(pets, "POST", { body: rex, headers });
					const isReplayed = reply.headers.has("Idempotency-Replayed");
					return { text: await reply.text(), isReplayed };
				};
				const { text } = await addOnce();
				const path = `${pets}/${JSON.parse(text).id}`;
				await Bun.sleep(3);
				expect(await addOnce()).toEqual({ text, isReplayed: true });
				await patch(path, '{"name":"Max"}');
				expect(await addOnce()).toEqual({ text, isReplayed: true });
				await remove(path);
				expect(await addOnce()).toEqual({ text, isReplayed: true });
			});
		});

		describe("changePet", () => {
			test("replaces the members of the patch exactly, and gives another ETag, the same under /v1", async () => {
				const { path, tag, text } = await addRex();
				const name = '\u{1F415} 犬 é é \\" ';
				const body = `{"name":${JSON.stringify(name)},"categoryId":-9223372036854775808}`;
				const changed = await patch(path, body);
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

			test("changes nothing for an empty patch, unknown members or the same values", async () => {
				const { path, tag, text } = await addRex();
				for (const body of ["{}", '{"id":99,"colour":"red"}', rex]) {
					const changed = await patch(path, body);
					expect(changed.headers.get("ETag")).toBe(tag);
				}
				expect((await read(path)).text).toBe(text);
			});

			test("answers 404 for an animal that does not exist, whatever If-Match says", async () => {
				const { path, tag } = await addRex();
				expect((await remove(path)).status).toBe(204);
				for (const headers of [{}, { "If-Match": tag }, { "If-Match": "*" }])
					for (const id of [path, `${pets}/0`, `${pets}/x`]) {
						await expectError(await patch(id, "{}", headers), "not_found");
						await expectError(await remove(id, headers), "not_found");
					}
				await expectError(await service().call(path), "not_found");
				await expectError(await service().call(toV1(path)), "not_found");
			});
		});

		describe("If-Match", () => {
			test("changes and removes an animal only with its ETag, and answers 412 with the animal as it is", async () => {
				const { path, tag: old } = await addRex();
				await patch(path, '{"name":"Max 😀"}');
				const { tag } = await read(toV1(path));
				const { text } = await read(path);
				const foreign = tag.replace(/\d/, (digit) => `${(+digit + 1) % 10}`);
				for (const ifMatch of [old, foreign, `W/${tag}`, 'W/"x", "y"']) {
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
				const list = { "If-Match": `, "other" ,,\t${tag} ,W/"x"` };
				expect((await patch(path, "{}", list)).status).toBe(200);
				expect((await patch(path, "{}", { "If-Match": "*" })).status).toBe(200);
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
					{ changed: 2, removed: 1, versions: [version, 0, version] },
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
				expect((await read(one.path)).text).toBe(one.text);
			});
		});
	},
	{ apiKey },
);

describe("refuses", () => {
	let service: Service;
	beforeAll(async () => {
		service = await openService("in process");
		await service.call(pets, { method: "POST", body: rex });
	});
	afterAll(() => service.close());
	const patch = (body: string, headers: Record<string, string> = {}) =>
		service.call(`${pets}/1`, { method: "PATCH", body, headers });
	const batch = (body: string) =>
		service.call(`${pets}/batch`, { method: "POST", body });

	test.each([
		["[]", "body"],
		[
			'{"name":5,"categoryId":null,"status":"gone"}',
			"name.*categoryId.*status",
		],
	])("the patch %s, and names the rule", async (body, words) => {
		await expectError(await patch(body), "invalid_body", new RegExp(words));
		expect(await (await service.call(`${pets}/1`)).json()).toMatchObject({
			version: 1,
		});
	});

	test("a patch of another media type", async () => {
		for (const [type, status] of [
			["application/merge-patch+json", 200],
			["text/plain", 415],
		] as const)
			expect((await patch("{}", { "Content-Type": type })).status).toBe(status);
	});

	test("an If-Match that is no list of ETags", async () => {
		const tag = (await service.call(`${pets}/1`)).headers.get("ETag") ?? "";
		for (const text of [
			...["abc", '"abc', "", "*, *", '"a" b', '"a" TAG', '"a"TAG', "TAG x"],
			...["*, TAG", "w/TAG", '"a b", TAG', "TAG; TAG", ",,"],
		]) {
			const reply = await patch("{}", { "If-Match": text.replace("TAG", tag) });
			await expectError(reply, "invalid_parameter", /^If-Match/);
		}
	});

	test.each([
		["{}", "changes"],
		['{"changes":[]}', "changes"],
		['{"changes":[{"petId":0,"remove":true}]}', "changes[0].petId"],
		['{"changes":[{"petId":1}]}', "changes[0]"],
		['{"changes":[{"petId":1,"set":{},"remove":true}]}', "changes[0]"],
		[
			'{"changes":[{"petId":1,"set":{}},{"petId":1,"set":{"name":5}}]}',
			"changes[1].set.name",
		],
		['{"changes":[{"petId":1,"set":{}}],"dryRun":true}', "dryRun"],
	])("the batch %s, and names the entry", async (body, words) => {
		const refused = await batch(body);
		const { index } = await refused.clone().json();
		expect(index?.toString()).toBe(/^changes\[(\d)\]/.exec(words)?.[1]);
		const message = new RegExp(`${RegExp.escape(words)} `);
		await expectError(refused, "invalid_body", message);
	});

	test("a batch of more than 1,000 entries or 1 MiB", async () => {
		const toBody = (length: number) =>
			JSON.stringify({ changes: Array(length).fill({ petId: 1, set: {} }) });
		expect((await batch(toBody(1_000))).status).toBe(200);
		await expectError(await batch(toBody(1_001)), "invalid_body", /1,000/);
		const tooLarge = await batch(" ".repeat(1024 * 1024 + 1));
		await expectError(tooLarge, "payload_too_large", /1 MiB/);
	});
});
