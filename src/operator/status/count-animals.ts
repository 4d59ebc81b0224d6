// Counts the animals of the catalogue by status, in slices.
import { type PetStatus, petStatuses } from "../../contract/pet.ts";
import { countSlice } from "../../limits.ts";
import type { Catalogue } from "../../store/catalogue.ts";

export interface AnimalCount {
	readonly byStatus: Readonly<Record<PetStatus, number>>;
	/** Whether all were counted. If not, there are at least as many. */
	readonly isComplete: boolean;
}

/** Calls `pause` after each slice, which says whether to go on. */
export async function countAnimals(
	countPets: Catalogue["countPets"],
	pause: () => Promise<boolean>,
): Promise<AnimalCount> {
	const byStatus = { available: 0, pending: 0, sold: 0 };
	for (const status of petStatuses)
		for (let afterId = 0n; ; ) {
			const range = { status, afterId, limit: countSlice };
			const { count, lastId } = await countPets(range);
			byStatus[status] += count;
			if (lastId === undefined || count < countSlice) break;
			if (!(await pause())) return { byStatus, isComplete: false };
			afterId = lastId;
		}
	return { byStatus, isComplete: true };
}

/** The members of a status document. */
export function toCountMembers({ byStatus, isComplete }: AnimalCount) {
	const { available, pending, sold } = byStatus;
	return {
		animals: available + pending + sold,
		...(!isComplete && { animalsAreAtLeast: true }),
		animalsByStatus: { available, pending, sold },
	};
}
