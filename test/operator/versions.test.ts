// Versions of animals over HTTP: ETags, conditions, and who has added an animal.
import { describe, expect, test } from "bun:test";
import type { Part } from "../../src/store/archive/archive.ts";
import {
	add,
	expectError,
	idOf,
	onEachService,
	openService,
} from "../service.ts";
import { call as callProcess, onTwoProcesses } from "./calls.ts";

const rex = '{"name":"Rex","categoryId":1}';
const apiKey = "a-key-known-to-the-tests";

onEachService(
	(service) => {
		const addRex = async () => Number(idOf(await add(service(), rex)));
		const paths = (id: number) => [`/v1/pets/${id}`, `/operator/v1/pets/${id}`];
		const read = (path: string, headers = {}) =>
			service().call(path, { headers });
		const patch = (id: number, body: string, headers = {}) =>
			service().call(`/operator/v1/pets/${id}`, {
				method: "PATCH",
				body,
				headers,
			});
		/** The ETag, which both interfaces share. */
		const readTag = async (id: number): Promise<string> => {
			const tags = new Set<string>();
			for (const path of paths(id))
				tags.add((await read(path)).headers.get("ETag") ?? "none");
			const [tag = ""] = tags;
			expect([...tags]).toEqual([tag]);
			return tag;
		};

		describe("ETag of an animal", () => {
			test("is the same under both interfaces, and another one after each change", async () => {
				const id = await addRex();
				const tags = [await readTag(id)];
				for (const body of [
					...['{"name":"Max"}', '{"name":"Rex"}', '{"categoryId":2}'],
					...['{"status":"sold"}', '{"name":"Max"}'],
				]) {
					const changed = await patch(id, body);
					const tag = await readTag(id);
					expect(changed.headers.get("ETag")).toBe(tag);
					tags.push(tag);
				}
				expect(new Set(tags).size).toBe(tags.length);
				expect(tags.every((tag) => /^"[!#-~]+"$/.test(tag))).toBe(true);
			});

			test("stays if a change changes nothing", async () => {
				const id = await addRex();
				const tag = await readTag(id);
				for (const body of ["{}", rex, '{"status":"available"}']) {
					const changed = await patch(id, body);
					expect(changed.headers.get("ETag")).toBe(tag);
				}
				const batch = await service().call("/operator/v1/pets/batch", {
					method: "POST",
					body: JSON.stringify({
						changes: [
							{ petId: id, set: { name: "Max" } },
							{ petId: id, set: { name: "Rex" } },
						],
					}),
				});
				expect(await batch.json()).toMatchObject({ versions: [id, id] });
				expect(await readTag(id)).toBe(tag);
			});

			test("differs from the ETags of other animals and other databases", async () => {
				const [one, two] = [await addRex(), await addRex()];
				expect(await readTag(one)).not.toBe(await readTag(two));
				const other = await openService("in process");
				for (let id = 0; id < Math.max(one, two); )
					id = Number(idOf(await add(other, rex)));
				for (const id of [one, two]) {
					const tag = (await other.call(`/v1/pets/${id}`)).headers.get("ETag");
					expect(tag).not.toBe(await readTag(id));
				}
				await other.close();
			});

			test("answers 304 to lists, weak tags and * in If-None-Match, only for the current version", async () => {
				const id = await addRex();
				const old = await readTag(id);
				await patch(id, '{"name":"Max"}');
				const tag = await readTag(id);
				const foreign = tag.replace(/\d/, (digit) => `${(+digit + 1) % 10}`);
				for (const path of paths(id)) {
					for (const same of [
						...[tag, `W/${tag}`, "*", `${old}, ${tag}`, `"x",W/${tag} ,"y"`],
					]) {
						const reply = await read(path, { "If-None-Match": same });
						expect([same, reply.status, await reply.text()]).toEqual([
							...[same, 304, ""],
						]);
						expect(reply.headers.get("ETag")).toBe(tag);
					}
					for (const other of [
						...[old, foreign, `${old}, "x"`, tag.slice(1, -1), '"*"'],
						...[`${tag.slice(0, -1)}0"`, `"${tag.split("-")[1]}`],
					]) {
						const reply = await read(path, { "If-None-Match": other });
						expect([other, reply.status]).toEqual([other, 200]);
					}
				}
			});
		});

		describe("If-Match", () => {
			test("answers 412 with the current animal, as a read shows it", async () => {
				const id = await addRex();
				const old = await readTag(id);
				await patch(id, '{"name":"Max 😀"}');
				const foreign = old.replace(/\d/, (digit) => `${(+digit + 1) % 10}`);
				const [, path = ""] = paths(id);
				const shown = await (await read(path)).text();
				for (const ifMatch of [old, foreign, `W/${await readTag(id)}`, '"x"']) {
					const headers = { "If-Match": ifMatch };
					for (const reply of [
						await patch(id, '{"name":"Lost"}', headers),
						await service().call(path, { method: "DELETE", headers }),
					]) {
						expect(reply.status).toBe(412);
						expect(await reply.clone().text()).toEndWith(`,"pet":${shown}}`);
						await expectError(reply, "precondition_failed");
					}
				}
				expect(await (await read(path)).text()).toBe(shown);
				const list = { "If-Match": `${old}, ${await readTag(id)}` };
				expect((await patch(id, '{"name":"Done"}', list)).status).toBe(200);
			});

			test("accepts an ETag of /v1 in the operator interface", async () => {
				const id = await addRex();
				const [path = ""] = paths(id);
				const tag = (await read(path)).headers.get("ETag") ?? "";
				const done = await patch(id, '{"name":"x"}', { "If-Match": tag });
				expect(done.status).toBe(200);
			});
		});

		describe("Version of an animal", () => {
			test("shows version, addedAt and addedBy in the operator interface, and not under /v1", async () => {
				const key = await service().makeKey({ scope: "operator" });
				const { id: keyId } = (await service().store.keys.list()).at(-1) ?? {};
				const begun = Date.now();
				const added = await service().call("/operator/v1/pets", {
					method: "POST",
					body: rex,
					authorization: `Bearer ${key}`,
				});
				const pet = await added.json();
				expect(pet).toEqual({
					id: pet.id,
					name: "Rex",
					categoryId: 1,
					status: "available",
					version: pet.id,
					addedAt: expect.any(String),
					addedBy: keyId,
				});
				const time = Date.parse(pet.addedAt);
				expect(new Date(time).toISOString()).toBe(pet.addedAt);
				expect(time).toBeGreaterThanOrEqual(begun);
				expect(time).toBeLessThanOrEqual(Date.now());
				const [own = "", path = ""] = paths(pet.id);
				expect(await (await read(path)).json()).toEqual(pet);
				const found = await read(`/operator/v1/pets?limit=1`);
				expect((await found.json()).pets).toEqual([pet]);
				const members = ["id", "name", "categoryId", "status"];
				expect(Object.keys(await (await read(own)).json())).toEqual(members);
				const [listed] = await (await read("/v1/pets?limit=1")).json();
				expect(Object.keys(listed)).toEqual(members);
				const changed = await (await patch(pet.id, '{"name":"Max"}')).json();
				const { addedAt, addedBy } = pet;
				expect(changed).toMatchObject({ name: "Max", addedAt, addedBy });
				expect(changed.version).toBeGreaterThan(pet.version);
			});

			test("names the key that added an animal under /v1, and none for PETSTORE_API_KEY", async () => {
				const id = await addRex();
				const [, path = ""] = paths(id);
				expect(await (await read(path)).json()).toMatchObject({ addedBy: 1 });
				const added = await service().call("/v1/pets", {
					method: "POST",
					body: rex,
					authorization: `Bearer ${apiKey}`,
				});
				const { id: fixed } = await added.json();
				const [, other = ""] = paths(fixed);
				const pet = await (await read(other)).json();
				expect(pet.addedAt).toBeString();
				expect(pet).not.toHaveProperty("addedBy");
			});

			test("repeats the reply to an add byte for byte", async () => {
				const options = {
					method: "POST",
					body: rex,
					headers: { "Idempotency-Key": "versions" },
				};
				const first = await service().call("/operator/v1/pets", options);
				const text = await first.text();
				await Bun.sleep(3);
				const again = await service().call("/operator/v1/pets", options);
				expect(await again.text()).toBe(text);
				const { id } = JSON.parse(text);
				await patch(id, '{"name":"Max"}');
				const third = await service().call("/operator/v1/pets", options);
				expect(await third.text()).toBe(text);
			});
		});
	},
	{ apiKey },
);

describe("ETag of an animal", () => {
	test.each(["sqlite", "postgres"] as const)(
		"%s: answers 200 to an ETag from before a restore in If-None-Match",
		async (engine) => {
			const { store, call, close } = await openService("in process", {
				engine,
				apiKey,
			});
			const path = "/v1/pets/1";
			const ask = (path: string, headers = {}, method = "GET") =>
				call(path, {
					method,
					headers,
					authorization: `Bearer ${apiKey}`,
				});
			await store.catalogue.addPet({
				pet: { name: "Rex", categoryId: 1n, status: "sold" },
			});
			const before = await ask(path);
			const tag = before.headers.get("ETag") ?? "";
			const parts: Part[] = await Array.fromAsync(store.archive.read());
			await store.archive.replace(
				(async function* () {
					yield* parts;
				})(),
			);
			const after = await ask(path, { "If-None-Match": tag });
			expect(after.status).toBe(200);
			expect(await after.text()).toBe(await before.text());
			expect(after.headers.get("ETag")).not.toBe(tag);
			await close();
		},
	);
});

onTwoProcesses((processes) => {
	describe("ETag of an animal", () => {
		test("gives the same ETag in two processes, and answers 412 after a change in the other one", async () => {
			const { service, other, key } = processes();
			const id = idOf(await add(service, rex));
			const path = `/operator/v1/pets/${id}`;
			const ask = (options = {}) =>
				callProcess(other.fetch, path, { key, ...options });
			const tagOf = (reply: Response) => reply.headers.get("ETag") ?? "";
			const tag = tagOf(await service.call(path));
			expect(tagOf(await ask())).toBe(tag);
			const headers = { "If-Match": tag, "Content-Type": "application/json" };
			const change = { method: "PATCH", body: { name: "Max" }, headers };
			const done = await ask(change);
			expect(done.status).toBe(200);
			expect(tagOf(await service.call(path))).toBe(tagOf(done));
			const late = await service.call(path, {
				method: "PATCH",
				body: '{"name":"Late"}',
				headers: { "If-Match": tag },
			});
			expect((await late.json()).pet).toEqual(await done.json());
		});
	});
});
