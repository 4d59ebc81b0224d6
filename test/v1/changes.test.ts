// The replies of /v1 while another process changes and removes animals.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { GivenPet } from "../../src/domain/pet/pet.ts";
import type { Store } from "../../src/store/store.ts";
import { openStore } from "../../src/store/store.ts";
import { add, idOf, onEachService, type Service, startMs } from "../service.ts";

onEachService((service) => {
	let other: Store;
	beforeAll(async () => {
		other = await openStore(service().databaseUrl, { access: "write" });
	}, startMs);
	afterAll(() => other.close());

	async function change(
		pet: string,
		set: Partial<GivenPet> | undefined,
	): Promise<void> {
		const petId = idOf(pet);
		expect(await other.catalogue.changePets([{ petId, set }])).toMatchObject({
			outcome: "changed",
		});
	}
	const read = async (path: string) => {
		const reply = await service().call(path);
		const tag = reply.headers.get("ETag") ?? "";
		const next = /^<([^>]*)>/.exec(reply.headers.get("Link") ?? "")?.[1];
		return { text: await reply.text(), tag, next };
	};
	const isUnchangedSince = async (path: string, tag: string) => {
		const headers = { "If-None-Match": tag };
		return (await service().call(path, { headers })).status === 304;
	};

	describe("Changes and removals", () => {
		test("shows each change and removal in the next list, even if the page is cached", async () => {
			const pet = await add(service(), rex);
			const path = "/v1/pets?limit=1";
			const seen = [(await read(path)).text];
			const changes: (Partial<GivenPet> | undefined)[] = [
				{ name: "Max" },
				{ status: "pending" },
				undefined,
			];
			for (const set of changes) {
				// Twice, so that the page is cached.
				await read(path);
				const { tag } = await read(path);
				await change(pet, set);
				expect(await isUnchangedSince(path, tag)).toBe(false);
				seen.push((await read(path)).text);
			}
			const json = (name: string, status: string) =>
				`[{"id":${idOf(pet)},"name":"${name}","categoryId":1,"status":"${status}"}]`;
			expect(seen.slice(0, 3)).toEqual([
				json("Rex", "sold"),
				json("Max", "sold"),
				json("Max", "pending"),
			]);
			expect(seen[3]).not.toContain(`"id":${idOf(pet)},`);
		});

		test("changes the link to the next page and the ETag with the animals on the next page", async () => {
			await removeAll(service(), other);
			const last = await add(service(), rex);
			await add(service(), rex);
			const path = "/v1/pets?limit=1&status=sold";
			const linked = await read(path);
			expect(linked.next).toBeString();
			await change(last, { status: "pending" });
			expect(await isUnchangedSince(path, linked.tag)).toBe(false);
			const alone = await read(path);
			expect(alone.text).toBe(linked.text);
			expect(alone.next).toBeUndefined();
			await change(last, { status: "sold" });
			expect(await isUnchangedSince(path, alone.tag)).toBe(false);
			expect(await read(path)).toEqual(linked);
		});
	});

	describe("A walk by cursor", () => {
		test("continues a walk after the animals of its last page were removed or changed", async () => {
			await removeAll(service(), other);
			const pets: string[] = [];
			while (pets.length < 6) pets.push(await add(service(), rex));
			const newestFirst = pets.toReversed();
			const first = await read("/v1/pets?limit=2&status=sold");
			expect(first.text).toBe(`[${newestFirst.slice(0, 2).join(",")}]`);
			await change(newestFirst[1] ?? "", undefined);
			await change(newestFirst[0] ?? "", { status: "pending" });
			// The walk has not reached this animal yet.
			await change(newestFirst[3] ?? "", undefined);
			const second = await read(first.next ?? "");
			expect(second.text).toBe(`[${newestFirst[2]},${newestFirst[4]}]`);
			const third = await read(second.next ?? "");
			expect(third).toMatchObject({
				text: `[${newestFirst[5]}]`,
				next: undefined,
			});
		});
	});

	describe("A repeated add after a change or removal", () => {
		test("repeats the first reply, and adds nothing", async () => {
			for (const set of [{ name: "Max" }, undefined]) {
				const key = { "Idempotency-Key": crypto.randomUUID() };
				const pet = await add(service(), rex, key);
				await change(pet, set);
				const { text: before } = await read("/v1/pets?limit=2");
				const again = await service().call("/v1/pets", {
					method: "POST",
					body: rex,
					headers: key,
				});
				expect([again.status, await again.text()]).toEqual([201, pet]);
				expect(again.headers.get("Idempotency-Replayed")).toBe("true");
				expect(again.headers.get("Location")).toBe(`/v1/pets/${idOf(pet)}`);
				expect((await read("/v1/pets?limit=2")).text).toBe(before);
			}
		});
	});
});

const rex = '{"name":"Rex","categoryId":1,"status":"sold"}';

async function removeAll({ call }: Service, { catalogue }: Store) {
	for (;;) {
		const text = await (await call("/v1/pets?limit=100")).text();
		const ids = text.match(/(?<="id":)\d+/g) ?? [];
		if (ids.length === 0) return;
		await catalogue.changePets(
			ids.map((id) => ({ petId: BigInt(id), set: undefined })),
		);
	}
}
