// Changes animals only if they still are as the user sees them. A change by somebody else is returned, and not overwritten.
import { maxParallelReads } from "../../../limits.ts";
import { hasCode } from "../api/error.ts";
import type { NewPet, Pet, Pets, Version } from "../api/pets.ts";

export type Outcome =
	| { readonly kind: "changed"; readonly pet: Pet }
	| { readonly kind: "different"; readonly pet: Pet }
	| { readonly kind: "removed" };

export async function changeShown(
	pets: Pets,
	shown: Pet,
	set: Partial<NewPet>,
): Promise<Outcome> {
	try {
		const version = await pets.get(shown.id);
		// Somebody else has wanted the same, or the reply to an earlier attempt was lost.
		if (isSame(version.pet, { ...shown, ...set }))
			return { kind: "changed", pet: version.pet };
		if (!isSame(version.pet, shown))
			return { kind: "different", pet: version.pet };
		// The ETag refuses a change that comes after the read.
		const { pet } = await pets.change(version, set);
		return { kind: "changed", pet };
	} catch (error) {
		if (hasCode(error, "precondition_failed"))
			return changeShown(pets, shown, set);
		if (hasCode(error, "not_found")) return { kind: "removed" };
		throw error;
	}
}

export function isSame(one: Pet, other: Pet): boolean {
	return (
		one.name === other.name &&
		one.categoryId === other.categoryId &&
		one.status === other.status
	);
}

/** The members that the second has otherwise. The others are not sent, so that a change of them by somebody else stays. */
export function toDifference(one: Pet, other: NewPet): Partial<NewPet> {
	return {
		...(one.name !== other.name && { name: other.name }),
		...(one.categoryId !== other.categoryId && {
			categoryId: other.categoryId,
		}),
		...(one.status !== other.status && { status: other.status }),
	};
}

export interface Checked {
	/** Those that are as they are shown. */
	readonly same: readonly Version[];
	/** Those that somebody else has changed, as they are now. */
	readonly different: readonly Pet[];
	/** Those that somebody else has removed. */
	readonly removed: readonly Pet[];
}

/** Reads animals again, to see which of them still are as they are shown. */
export async function checkShown(
	pets: Pets,
	shown: readonly Pet[],
): Promise<Checked> {
	const same: Version[] = [];
	const different: Pet[] = [];
	const removed: Pet[] = [];
	const rest = shown.values();
	const work = async () => {
		for (const pet of rest)
			try {
				const version = await pets.get(pet.id);
				if (isSame(version.pet, pet)) same.push(version);
				else different.push(version.pet);
			} catch (error) {
				if (!hasCode(error, "not_found")) throw error;
				removed.push(pet);
			}
	};
	await Promise.all(Array.from({ length: maxParallelReads }, work));
	return { same, different, removed };
}
