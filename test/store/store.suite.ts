// What every engine must do. It takes a way to open a store, so that each engine runs the same tests.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeKey } from "../../src/contract/api-key.ts";
import type { Idempotency, Store } from "../../src/store/store.ts";

const day = 86_400_000;
const maxId = 2n ** 63n - 1n;
const rex = { name: "Rex", categoryId: 1n, status: "available" } as const;

interface Database {
	readonly open: () => Promise<Store>;
	readonly remove: () => void | Promise<void>;
}

/** `open` gives a further store on the same database each time; `remove` deletes the database. */
export function storeSuite(
	engine: string,
	create: () => Promise<Database>,
): void {
	describe(engine, () => {
		let database: Database;
		let store: Store;
		let other: Store;
		beforeAll(async () => {
			database = await create();
			store = await database.open();
			other = await database.open();
		}, 30_000);
		afterAll(async () => {
			await store.close();
			await other.close();
			await database.remove();
		});

		const addPet = async (idempotency?: Idempotency) => {
			const added = await store.addPet(rex, idempotency);
			if (added.outcome === "mismatch") throw new Error("mismatch");
			return added;
		};
		const idempotency = (key: string, at = Date.now()): Idempotency => ({
			owner: "owner",
			key,
			fingerprint: "fingerprint",
			at,
		});

		test("gives back what was added", async () => {
			const pet = {
				name: "\u{1f600}'\"\\e\u0301",
				categoryId: -(2n ** 63n),
				status: "sold",
			} as const;
			const added = await store.addPet(pet, undefined);
			if (added.outcome !== "added") throw new Error(added.outcome);
			expect(await store.getPet(added.id)).toEqual({ id: added.id, ...pet });
			expect(await store.listPets({ limit: 1, maxId, status: "sold" })).toEqual(
				[{ id: added.id, ...pet }],
			);
		});

		test("has no animal under an id that was not given out", async () => {
			expect(await store.getPet(0n)).toBeUndefined();
			expect(await store.getPet(maxId)).toBeUndefined();
		});

		test("lists newest first, from an id downward, at most so many", async () => {
			const ids = [];
			for (let count = 0; count < 5; count++) ids.push((await addPet()).id);
			const list = async (maxId: bigint, limit: number) => {
				const page = { limit, maxId, status: "available" } as const;
				return (await store.listPets(page)).map(({ id }) => id);
			};
			expect(await list(maxId, 3)).toEqual(ids.slice(-3).reverse());
			expect(await list(ids[2] ?? 0n, 2)).toEqual([ids[2], ids[1]] as bigint[]);
			expect(await list(0n, 2)).toEqual([]);
		});

		test("gives 1,000 animals that come at once 1,000 ids, in two processes' worth of stores", async () => {
			const added = await Promise.all(
				Array.from({ length: 1_000 }, (_, index) =>
					(index % 2 === 0 ? store : other).addPet(rex, undefined),
				),
			);
			const ids = added.map((one) => (one.outcome === "added" ? one.id : 0n));
			expect(new Set(ids).size).toBe(1_000);
			const listed = await store.listPets({
				limit: 1_000,
				maxId,
				status: undefined,
			});
			expect(listed.map(({ id }) => id)).toEqual(
				ids.toSorted((a, b) => (a < b ? 1 : -1)),
			);
		});

		test.each([
			["none has an Idempotency-Key", () => false],
			["each third has one", (index: number) => index % 3 === 0],
			["only the last has one", (index: number) => index === 69],
		])(
			"gives each of 70 that come at once its own id, where %s",
			async (where, hasKey) => {
				const all = await Promise.all(
					Array.from({ length: 70 }, async (_, index) => {
						const pet = { ...rex, name: `Rex ${index} (${where})` };
						const key = hasKey(index) ? idempotency(pet.name) : undefined;
						return { pet, outcome: await store.addPet(pet, key) };
					}),
				);
				for (const { pet, outcome: added } of all) {
					if (added.outcome !== "added") throw new Error(added.outcome);
					expect(await store.getPet(added.id)).toMatchObject(pet);
				}
			},
		);

		test("sees at once what another process added", async () => {
			const newest = { limit: 1, maxId, status: undefined };
			for (let count = 0; count < 5; count++) {
				const { id } = await addPet();
				expect(await other.getPet(id)).toMatchObject({ id });
				// Twice, since a page that was read before may be kept, but only until the next animal.
				for (let time = 0; time < 2; time++)
					for (const any of [other, store])
						expect(await any.listPets(newest)).toMatchObject([{ id }]);
			}
		});

		test("repeats the outcome for the same Idempotency-Key, in any process", async () => {
			const first = await addPet(idempotency("again"));
			expect(first.outcome).toBe("added");
			for (const any of [store, other])
				expect(await any.addPet(rex, idempotency("again"))).toEqual({
					outcome: "replayed",
					id: first.id,
				});
		});

		test("adds one animal for one Idempotency-Key that comes 40 times at once", async () => {
			const outcomes = await Promise.all(
				Array.from({ length: 40 }, (_, index) =>
					(index % 2 === 0 ? store : other).addPet(rex, idempotency("race")),
				),
			);
			const ids = outcomes.map((one) =>
				one.outcome === "mismatch" ? 0n : one.id,
			);
			expect(new Set(ids).size).toBe(1);
			expect(
				outcomes.filter(({ outcome }) => outcome === "added"),
			).toHaveLength(1);
		});

		test("refuses one Idempotency-Key for another animal, and only that one of a batch", async () => {
			await addPet(idempotency("mismatch"));
			const [refused, added] = await Promise.all([
				store.addPet(rex, {
					...idempotency("mismatch"),
					fingerprint: "another",
				}),
				store.addPet(rex, undefined),
			]);
			expect([refused.outcome, added.outcome]).toEqual(["mismatch", "added"]);
		});

		test("keeps the Idempotency-Keys of each owner apart", async () => {
			const first = await addPet(idempotency("shared"));
			const second = await addPet({ ...idempotency("shared"), owner: "else" });
			expect(second.outcome).toBe("added");
			expect(second.id).toBeGreaterThan(first.id);
		});

		test("forgets an Idempotency-Key after 24 hours", async () => {
			const now = Date.now();
			const first = await addPet(idempotency("old", now - day));
			const second = await addPet(idempotency("old", now));
			expect(second.outcome).toBe("added");
			expect(second.id).not.toBe(first.id);
			expect(await addPet(idempotency("old", now))).toEqual({
				outcome: "replayed",
				id: second.id,
			});
			const third = await addPet(idempotency("young", now - day + 1_000));
			expect(await addPet(idempotency("young", now))).toEqual({
				outcome: "replayed",
				id: third.id,
			});
		});

		test("deletes old Idempotency-Keys, however many, and no others", async () => {
			const long = 1_000_000;
			await Promise.all(
				Array.from({ length: 2_500 }, (_, index) =>
					store.addPet(rex, { ...idempotency(`purge ${index}`, long) }),
				),
			);
			const { id } = await addPet(idempotency("purge not", long + 1));
			await store.forgetIdempotencyKeys(long + 1);
			const again = (key: string) => addPet(idempotency(key, long + 2));
			expect(await again("purge not")).toEqual({ outcome: "replayed", id });
			for (const key of ["purge 0", "purge 1999", "purge 2499"])
				expect((await again(key)).outcome).toBe("added");
		});

		test("keeps what is known of a key, and finds it by its hash", async () => {
			const { record } = makeKey({
				name: "n\u00e4me",
				scope: "read",
				expiresAt: Date.now() + day,
			});
			const { id } = await store.addKey(record);
			const kept = {
				...record,
				id,
				revokedAt: undefined,
				lastUsedAt: undefined,
			};
			expect(await other.findKey(record.hash)).toEqual(kept);
			expect(await store.listKeys()).toContainEqual(kept);
			expect(await store.findKey("unknown")).toBeUndefined();
		});

		test("revokes a key once", async () => {
			const { record } = makeKey({
				name: "x",
				scope: "read-write",
				expiresAt: undefined,
			});
			const { id } = await store.addKey(record);
			expect(await store.revokeKey(id, 1_000)).toMatchObject({
				revokedAt: undefined,
			});
			expect(await store.revokeKey(id, 2_000)).toMatchObject({
				revokedAt: 1_000,
			});
			expect(await other.findKey(record.hash)).toMatchObject({
				id,
				revokedAt: 1_000,
			});
			expect(await store.revokeKey(99_999, 1_000)).toBeUndefined();
		});

		test("records the last use of a key at most once a minute, and never moves it back", async () => {
			const { record } = makeKey({
				name: "x",
				scope: "read",
				expiresAt: undefined,
			});
			const { id } = await store.addKey(record);
			const start = Date.now();
			for (const [at, recorded] of [
				[start, start],
				[start + 59_999, start],
				[start - 120_000, start],
				[start + 60_000, start + 60_000],
			] as const) {
				await store.recordKeyUse(id, at);
				expect((await store.findKey(record.hash))?.lastUsedAt).toBe(recorded);
			}
		});

		test("gives no id twice, also after it was closed and opened again", async () => {
			const again = await create();
			const ids: bigint[] = [];
			for (let round = 0; round < 3; round++) {
				const one = await again.open();
				const added = await one.addPet(rex, undefined);
				if (added.outcome === "added") ids.push(added.id);
				await one.close();
			}
			expect(ids).toEqual([1n, 2n, 3n]);
			await again.remove();
		});

		test("answers a ping", async () => {
			expect(await store.ping()).toBeUndefined();
		});
	});
}
