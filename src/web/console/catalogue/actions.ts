// Adds, changes and removes animals, and shows the outcome.
import { signal } from "@preact/signals";
import { toMessage } from "../api/error.ts";
import {
	type NewPet,
	type Pet,
	type PetStatus,
	type Pets,
	toConflict,
} from "../api/pets.ts";
import { capitalise, toTitle } from "../parts/format.ts";
import type { Toasts } from "../parts/toasts.tsx";
import type { PetList } from "./list.ts";
import { type Removals, toConflictText, toTitles } from "./removals.ts";

type OpenDialog =
	| { readonly kind: "add" }
	| { readonly kind: "edit"; readonly pet: Pet }
	| {
			readonly kind: "conflict";
			readonly current: Pet;
			readonly set: Partial<NewPet>;
	  };

export type Actions = ReturnType<typeof createActions>;

export function createActions(
	pets: Pets,
	list: PetList,
	removals: Removals,
	toasts: Toasts,
) {
	const dialog = signal<OpenDialog | undefined>(undefined);
	const selected = signal<ReadonlySet<bigint>>(new Set());
	/** The animals of open requests. */
	const busy = signal<ReadonlySet<bigint>>(new Set());

	/** Changes animals only if they are still as the user sees them. It shows a change by somebody else and does not overwrite it. */
	async function change(
		shown: readonly Pet[],
		set: Partial<NewPet>,
	): Promise<void> {
		const changes = shown.map((pet) => ({ shown: pet, set }));
		try {
			const versions = await pets.change(changes);
			showChanged(
				shown.map((pet, index) => ({
					...{ ...pet, ...set },
					version: versions[index] ?? pet.version,
				})),
				set,
			);
		} catch (error) {
			const conflict = toConflict(error, changes);
			if (conflict === undefined) throw error;
			dialog.value = undefined;
			const { kind, pet } = conflict;
			const why = toConflictText(conflict);
			if (shown.length > 1) {
				// Others may have changed too.
				list.search(list.filter.peek());
				toasts.fail(`${why} No animal was changed. The list is reloaded.`);
			} else if (kind === "removed") {
				list.drop([pet.id]);
				toasts.fail(why);
			} else if (
				Object.keys(toDifference(pet, { ...pet, ...set })).length > 0
			) {
				list.replace([pet]);
				dialog.value = { kind: "conflict", current: pet, set };
			} else {
				// Somebody else made the same change, or the reply to an earlier attempt was lost.
				showChanged([pet], set);
			}
		}
	}

	function showChanged(changed: readonly Pet[], set: Partial<NewPet>): void {
		dialog.value = undefined;
		list.replace(changed);
		const titles = toTitles(changed);
		if (changed.length > 1) {
			selected.value = new Set();
			toasts.show(`Set to ${set.status}: ${titles}.`);
		} else {
			const isStatus = Object.keys(set).join() === "status";
			toasts.show(
				`${capitalise(titles)} is ${isStatus ? set.status : "saved"}.`,
			);
		}
	}

	return {
		dialog,
		selected,
		busy,
		open(next: OpenDialog | undefined): void {
			dialog.value = next;
		},
		async add(pet: NewPet, idempotencyKey: string): Promise<void> {
			const added = await pets.add(pet, idempotencyKey);
			dialog.value = undefined;
			list.addFirst(added);
			toasts.show(`Added ${toTitle(added)} with the id ${added.id}.`);
		},
		change,
		/** The animals are busy until it is done. */
		async setStatus(shown: readonly Pet[], status: PetStatus): Promise<void> {
			const ids = new Set(shown.map(({ id }) => id));
			if (!busy.peek().isDisjointFrom(ids)) return;
			busy.value = busy.peek().union(ids);
			await change(shown, { status }).catch((error) =>
				toasts.fail(`The status was not changed. ${toMessage(error)}`),
			);
			busy.value = busy.peek().difference(ids);
		},
		/** The button that undoes it gets the focus if `isByKeyboard`. */
		remove(shown: readonly Pet[], isByKeyboard: boolean): void {
			const ids = new Set(shown.map(({ id }) => id));
			selected.value = selected.peek().difference(ids);
			removals.remove(shown, isByKeyboard);
		},
	};
}

/** The fields that differ. Only they are sent, so that a change of other fields by somebody else stays. */
export function toDifference(one: Pet, other: NewPet): Partial<NewPet> {
	const { name, categoryId, status } = other;
	return {
		...(one.name !== name && { name }),
		...(one.categoryId !== categoryId && { categoryId }),
		...(one.status !== status && { status }),
	};
}
