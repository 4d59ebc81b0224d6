// What the changes of one call come to, before an engine does them.
import type { ChangeRefused, PetChange } from "./catalogue.ts";

export interface Plan {
	/** Those whose animals must be there and fulfil their conditions. */
	readonly checked: readonly PetChange[];
	/** What all changes of an animal set together; undefined if they remove it. */
	readonly results: ReadonlyMap<bigint, PetChange["set"]>;
	/** The first change of an animal that an earlier one removes. Nothing is done then. */
	readonly refused: ChangeRefused | undefined;
}

/** Joins the changes of each animal: it gets one version, and none if they come to what it was. */
export function toPlan(changes: readonly PetChange[]): Plan {
	const results = new Map<bigint, PetChange["set"]>();
	for (const [index, { petId, set }] of changes.entries()) {
		const known = results.get(petId);
		if (results.has(petId) && known === undefined) {
			const checked = changes.slice(0, index);
			return { checked, results, refused: { outcome: "missing", index } };
		}
		results.set(petId, set && { ...known, ...set });
	}
	return { checked: changes, results, refused: undefined };
}
