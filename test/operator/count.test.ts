// Counting animals: of a status, of a category, or all.
import { describe, expect, test } from "bun:test";
import { petStatuses } from "../../src/domain/pet.ts";
import { toPet } from "../harness/pet.ts";
import { expectError, onEachService } from "../service.ts";

const path = "/operator/v1/pets/count";

onEachService((service) => {
	const count = async (query: string) =>
		(await service().call(path + query)).json();

	describe("Counting animals", () => {
		test("counts all animals, or the animals of a status, of a category, or of both", async () => {
			expect(await count("")).toEqual({ pets: 0 });
			for (const [index, status] of [...petStatuses, ...petStatuses].entries())
				await service().store.catalogue.addPet({
					pet: toPet({ categoryId: BigInt(index % 2), status }),
				});
			for (const [query, pets] of [
				["", 6],
				["?status=sold", 2],
				["?categoryId=0", 3],
				["?categoryId=1&status=sold", 1],
				["?categoryId=-9223372036854775808", 0],
			] as const)
				expect([query, await count(query)]).toEqual([query, { pets }]);
		});

		test("counts an animal right after it was added", async () => {
			const { store } = service();
			const before = await count("?status=pending");
			await store.catalogue.addPet({
				pet: toPet({ status: "pending" }),
			});
			expect(await count("?status=pending")).toEqual({ pets: before.pets + 1 });
		});

		test("refuses an unknown status", async () => {
			const refused = await service().call(`${path}?status=gone`);
			await expectError(refused, "invalid_parameter", /^status /);
		});
	});
});
