// The catalogue of a store: what every engine must do with animals and Idempotency-Keys.
import { expect, test } from "bun:test";
import { maxInt64 } from "../../src/domain/types/json.ts";
import { idempotencyLifetimeMs } from "../../src/limits.ts";
import type { Catalogue } from "../../src/store/animals/catalogue.ts";
import type { Idempotency } from "../../src/store/database/engine.ts";
import { rex, toPet } from "../harness/pet.ts";
import { onEachEngine } from "./engines.ts";

const day = 86_400_000;

onEachEngine((stores) => {
	const catalogue = () => stores().store.catalogue;
	const other = () => stores().other.catalogue;
	/** The two stores in turn. */
	const oneOf = (index: number) => (index % 2 === 0 ? catalogue() : other());

	const addPet = async (idempotency?: Idempotency) =>
		requireAdded(await catalogue().addPet({ pet: rex, idempotency }));
	const idempotency = (key: string, at = Date.now()): Idempotency => ({
		owner: "owner",
		key,
		fingerprint: "fingerprint",
		at,
	});

	test("getPet and listPets return an animal as it was added", async () => {
		const pet = toPet({
			name: "\u{1f600}'\"\\e\u0301",
			categoryId: -(2n ** 63n),
			status: "sold",
		});
		const { id } = requireAdded(await catalogue().addPet({ pet }));
		expect(await catalogue().getPet(id)).toMatchObject({ id, ...pet });
		const page = { limit: 1, maxId: maxInt64, status: "sold" } as const;
		expect(await catalogue().listPets(page)).toMatchObject([{ id, ...pet }]);
	});

	test("gives each of 1,000 animals that two stores add at the same time its own id, with and without an Idempotency-Key", async () => {
		const all = await Promise.all(
			Array.from({ length: 1_000 }, async (_, index) => {
				const pet = { ...rex, name: `Rex ${index}` };
				const key = index % 3 === 0 ? idempotency(pet.name) : undefined;
				const added = await oneOf(index).addPet({ pet, idempotency: key });
				return { ...pet, id: requireAdded(added).id };
			}),
		);
		const listed = await catalogue().listPets({
			limit: 1_000,
			maxId: maxInt64,
			status: undefined,
		});
		expect(listed).toMatchObject(
			all.toSorted((a, b) => (a.id < b.id ? 1 : -1)),
		);
	});

	test("shows an animal in another process as soon as it was added", async () => {
		const newest = { limit: 1, maxId: maxInt64, status: undefined };
		for (let count = 0; count < 5; count++) {
			const { id } = await addPet();
			expect(await other().getPet(id)).toMatchObject({ id });
			// Twice, since a page may be cached until the next animal is added.
			for (let time = 0; time < 2; time++)
				for (const any of [other(), catalogue()])
					expect(await any.listPets(newest)).toMatchObject([{ id }]);
		}
	});

	test("adds one animal for 40 adds with one Idempotency-Key at the same time", async () => {
		const outcomes = await Promise.all(
			Array.from({ length: 40 }, (_, index) =>
				oneOf(index).addPet({ pet: rex, idempotency: idempotency("race") }),
			),
		);
		const ids = outcomes.map((one) => requireAdded(one).id);
		expect(new Set(ids).size).toBe(1);
		expect(outcomes.filter(({ outcome }) => outcome === "added")).toHaveLength(
			1,
		);
	});

	test("refuses an Idempotency-Key with another animal, but not the other adds of the batch", async () => {
		await addPet(idempotency("mismatch"));
		const [refused, added] = await Promise.all([
			catalogue().addPet({
				pet: rex,
				idempotency: {
					...idempotency("mismatch"),
					fingerprint: "another",
				},
			}),
			catalogue().addPet({ pet: rex }),
		]);
		expect([refused.outcome, added.outcome]).toEqual(["mismatch", "added"]);
	});

	test("forgets an Idempotency-Key after 24 hours", async () => {
		const now = Date.now();
		const first = await addPet(idempotency("old", now - day));
		const second = await addPet(idempotency("old", now));
		expect(second.outcome).toBe("added");
		expect(second.id).not.toBe(first.id);
		expect(await addPet(idempotency("old", now))).toMatchObject({
			outcome: "replayed",
			id: second.id,
		});
		const third = await addPet(idempotency("young", now - day + 1_000));
		expect(await addPet(idempotency("young", now))).toMatchObject({
			outcome: "replayed",
			id: third.id,
		});
	});

	test("cleans up all old Idempotency-Keys, even 2,500, and no others, and lets other work run", async () => {
		const old = 1_000_000;
		// In parts: an add that waits for more than a second is refused.
		for (let start = 0; start < 2_500; start += 250)
			await Promise.all(
				Array.from({ length: 250 }, (_, index) =>
					catalogue().addPet({
						pet: rex,
						idempotency: idempotency(`delete ${start + index}`, old),
					}),
				),
			);
		const { id } = await addPet(idempotency("keep", old + 1));
		let ticks = 0;
		const timer = setInterval(() => ticks++, 0);
		await stores().store.cleanUp(old + 1 + idempotencyLifetimeMs);
		clearInterval(timer);
		expect(ticks).toBeGreaterThan(5);
		const again = (key: string) => addPet(idempotency(key, old + 2));
		expect(await again("keep")).toMatchObject({ outcome: "replayed", id });
		for (const key of ["delete 0", "delete 1999", "delete 2499"])
			expect((await again(key)).outcome).toBe("added");
	});
});

function requireAdded(added: Awaited<ReturnType<Catalogue["addPet"]>>) {
	if (added.outcome === "mismatch") throw new Error("mismatch");
	return added;
}
