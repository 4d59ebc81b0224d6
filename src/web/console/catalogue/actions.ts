// Adds, changes and removes single animals, and shows the outcome.
import { signal } from "@preact/signals";
import type { NewPet, Pet, Pets } from "../api/pets.ts";
import { capitalise, toTitle } from "../parts/format.ts";
import type { Toasts } from "../parts/toasts.tsx";
import { type Batches, toConflictText } from "./batches.ts";
import { isSame } from "./content.tsx";
import type { PetList } from "./list.ts";

type OpenDialog =
	| { readonly kind: "add" | "import" }
	| {
			readonly kind: "conflict";
			readonly current: Pet;
			readonly set: Partial<NewPet>;
	  };

export type Actions = ReturnType<typeof createActions>;

export function createActions(
	pets: Pets,
	list: PetList,
	batches: Batches,
	toasts: Toasts,
) {
	const dialog = signal<OpenDialog | undefined>(undefined);
	const finish = (...message: Parameters<Toasts["show"]>) => {
		dialog.value = undefined;
		void list.count();
		toasts.show(...message);
	};

	/** Changes the animal only if it is still as the user sees it. It shows a change by somebody else and does not overwrite it. */
	async function change(shown: Pet, set: Partial<NewPet>): Promise<void> {
		const isStatus = Object.keys(set).join() === "status";
		const toText = (pet: Pet) =>
			`${capitalise(toTitle(pet))} is ${isStatus ? pet.status : "saved"}.`;
		const done = await batches.change([{ shown, set }], (conflict) => {
			const { after: current } = conflict;
			if (current === undefined) toasts.fail(toConflictText(conflict));
			// Somebody else made the same change, or the reply to an earlier attempt was lost.
			else if (isSame(current, { ...current, ...set })) finish(toText(current));
			else dialog.value = { kind: "conflict", current, set };
			return [];
		});
		for (const { before, after = before } of done)
			finish(
				toText(after),
				isSame(before, after) ? undefined : () => batches.undo(done),
			);
	}

	return {
		...{ dialog, change },
		open(next: OpenDialog | undefined): void {
			dialog.value = next;
		},
		async add(pet: NewPet, idempotencyKey: string): Promise<void> {
			const added = await pets.add(pet, idempotencyKey);
			list.put([added]);
			finish(`Added ${toTitle(added)} with the id ${added.id}.`);
		},
		setStatus: (shown: Pet, status: Pet["status"]) =>
			toasts.attempt("The status was not changed.", () =>
				change(shown, { status }),
			),
		/** Puts an earlier content back. */
		restore: (before: Pet) =>
			toasts.attempt(
				`${capitalise(toTitle(before))} was not put back.`,
				async () => {
					list.put([await pets.restore(before)]);
					finish(`Put back: ${toTitle(before)}.`);
				},
			),
		async remove(shown: Pet): Promise<void> {
			const title = toTitle(shown);
			await toasts.attempt(
				`${capitalise(title)} was not removed.`,
				async () => {
					const done = await batches.change(
						[{ shown, remove: true }],
						(conflict) => {
							throw new Error(toConflictText(conflict));
						},
					);
					finish(`Removed ${title}.`, () => batches.undo(done), true);
				},
			);
		},
	};
}
