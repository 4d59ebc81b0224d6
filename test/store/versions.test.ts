// The version of an animal, its ETag, and when and by whom it was added: what every engine must do.
import { describe, expect, test } from "bun:test";
import { toCondition, toPetTag } from "../../src/domain/version.ts";
import type { Catalogue } from "../../src/store/animals/catalogue.ts";
import type { FoundPet } from "../../src/store/animals/change.ts";
import { rex } from "../harness/pet.ts";
import { add, importLines, onEachEngine } from "./engines.ts";

const sold = { status: "sold" } as const;

onEachEngine((stores) => {
	const catalogue = () => stores().store.catalogue;
	const other = () => stores().other.catalogue;

	describe("Version of an animal", () => {
		test("stays the same, without an entry in the feed, if a change changes nothing", async () => {
			const petId = await add(stores().store);
			await catalogue().changePets([{ petId, set: sold }]);
			const before = await get(catalogue(), petId);
			for (const sets of [
				[{}],
				[sold],
				[{ ...rex, ...sold }],
				[{ name: "Max" }, { name: "Rex" }],
			]) {
				const changed = await other().changePets(
					sets.map((set) => ({ petId, set })),
				);
				expect(changed).toEqual({
					outcome: "changed",
					pets: sets.map(() => before),
					totals: { added: 0, changed: 0, removed: 0 },
				});
			}
			expect(await get(catalogue(), petId)).toEqual(before);
			// Nothing has taken a number, so nothing is in the feed.
			const id = await add(stores().store);
			expect(id).toBe(before.version + 1n);
		});
	});

	describe("If-Match", () => {
		test("accepts each ETag of a list, and no part or neighbour of one", async () => {
			const petId = await add(stores().store);
			const { epoch, version } = await get(catalogue(), petId);
			const change = async (tags: readonly string[]) => {
				const condition = toCondition(tags.join());
				const change = { petId, set: {}, condition };
				return (await other().changePets([change])).outcome;
			};
			const tag = toPetTag(epoch, version);
			const others = [
				...[`"${version}"`, `"${epoch}"`, `"-${version}"`, `"${epoch}-"`, '""'],
				toPetTag(epoch, version * 10n),
				toPetTag(epoch.slice(1), version),
				toPetTag(`1${epoch}`, version),
				`"${epoch}-0${version}"`,
				`"1-1,${epoch}-${version}"`,
				`",${version},"`,
			];
			expect(await change(others)).toBe("differs");
			for (const list of [
				[tag],
				[...others, tag],
				[tag, ...others],
				[tag, tag],
			])
				expect(await change(list)).toBe("changed");
			// A weak tag never matches, so this names none.
			expect(await change([`W/${tag}`])).toBe("differs");
		});
	});

	describe("Version of an animal", () => {
		test("gives imported animals the time and the author of the import", async () => {
			const begun = BigInt(Date.now());
			const id = await add(stores().store);
			await importLines(stores().store, [rex]);
			// The edit of the import has a position too.
			const pet = await get(other(), id + 1n);
			expect(pet).toMatchObject({ version: id + 1n, addedBy: "command line" });
			expect(pet.addedAt).toBeGreaterThanOrEqual(begun);
			expect(pet.addedAt).toBeLessThanOrEqual(BigInt(Date.now()));
		});

		test("answers a repeated add with the time of the first, and keeps the first origin", async () => {
			const at = Date.now();
			const repeat = (later: number) =>
				catalogue().addPet({
					pet: rex,
					idempotency: {
						owner: "o",
						key: "k",
						fingerprint: "f",
						at: at + later,
					},
					origin: { at: at + later, by: `${later}` },
				});
			const added = await repeat(4);
			if (added.outcome !== "added") throw new Error(added.outcome);
			const { id } = added;
			expect(await repeat(50)).toEqual({ outcome: "replayed", id, at: at + 4 });
			expect(await get(catalogue(), id)).toMatchObject({
				addedAt: BigInt(at + 4),
				addedBy: "4",
			});
		});
	});
});

async function get(catalogue: Catalogue, id: bigint): Promise<FoundPet> {
	const pet = await catalogue.getPet(id);
	if (pet === undefined) throw new Error(`There is no animal ${id}.`);
	return pet;
}
