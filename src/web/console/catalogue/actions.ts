// Adds, changes and removes single animals, and shows the outcome.
import { signal } from "@preact/signals";
import { hasCode, toMessage } from "../api/error.ts";
import {
	type Change,
	type Conflict,
	type NewPet,
	type Pet,
	type Pets,
	toConflict,
} from "../api/pets.ts";
import { capitalise, toTitle } from "../parts/format.ts";
import type { Toasts } from "../parts/toasts.tsx";
import type { Batches } from "./batches.ts";
import { toConflictText, toDifference } from "./difference.ts";
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
	{ undo }: Batches,
	toasts: Toasts,
) {
	const dialog = signal<OpenDialog | undefined>(undefined);
	/** The animals of open requests. */
	const busy = signal<ReadonlySet<bigint>>(new Set());

	/** Changes the animal only if it is still as the user sees it. It shows a change by somebody else and does not overwrite it. */
	async function change(shown: Pet, set: Partial<NewPet>): Promise<void> {
		const changes = [{ shown, set }];
		try {
			const [version = shown.version] = await pets.change(changes);
			finish(shown, { ...shown, ...set, version });
		} catch (error) {
			const conflict = showConflict(error, changes);
			if (conflict === undefined) throw error;
			const { kind, pet } = conflict;
			if (kind === "removed") toasts.fail(toConflictText(conflict));
			else if (Object.keys(toDifference(pet, { ...pet, ...set })).length > 0)
				dialog.value = { kind: "conflict", current: pet, set };
			// Somebody else made the same change, or the reply to an earlier attempt was lost.
			else finish(pet, pet);
		}
	}

	function showConflict(
		error: unknown,
		changes: readonly Change[],
	): Conflict | undefined {
		const conflict = toConflict(error, changes);
		if (conflict?.kind === "removed") list.drop(new Set([conflict.pet.id]));
		else if (conflict !== undefined) list.put([conflict.pet]);
		return conflict;
	}

	function finish(before: Pet, after: Pet): void {
		dialog.value = undefined;
		list.put([after]);
		void list.count();
		const isStatus =
			Object.keys(toDifference(before, after)).join() === "status";
		toasts.show(
			`${capitalise(toTitle(after))} is ${isStatus ? after.status : "saved"}.`,
			before.version === after.version
				? undefined
				: () => undo([{ before, after }]),
		);
	}

	async function restore(before: Pet): Promise<void> {
		list.put([await pets.restore(before)]);
		void list.count();
		toasts.show(`Put back: ${toTitle(before)}.`);
	}

	async function attempt(
		refusal: string,
		action: () => Promise<void>,
	): Promise<void> {
		await action().catch((error) => {
			// The sign-in dialog says so.
			if (!hasCode(error, "session_ended"))
				toasts.fail(`${refusal} ${toMessage(error)}`);
		});
	}

	return {
		...{ dialog, busy, change, restore, attempt },
		open(next: OpenDialog | undefined): void {
			dialog.value = next;
		},
		async add(pet: NewPet, idempotencyKey: string): Promise<void> {
			const added = await pets.add(pet, idempotencyKey);
			dialog.value = undefined;
			list.put([added]);
			void list.count();
			toasts.show(`Added ${toTitle(added)} with the id ${added.id}.`);
		},
		/** The animal is busy until it is done. */
		async setStatus(shown: Pet, status: Pet["status"]): Promise<void> {
			const own = new Set([shown.id]);
			if (busy.peek().has(shown.id)) return;
			busy.value = busy.peek().union(own);
			await attempt("The status was not changed.", () =>
				change(shown, { status }),
			);
			busy.value = busy.peek().difference(own);
		},
		async remove(shown: Pet): Promise<void> {
			const changes = [{ shown, remove: true } as const];
			const title = toTitle(shown);
			await attempt(`${capitalise(title)} was not removed.`, async () => {
				try {
					await pets.change(changes);
				} catch (error) {
					const conflict = showConflict(error, changes);
					throw conflict ? new Error(toConflictText(conflict)) : error;
				}
				list.drop(new Set([shown.id]));
				void list.count();
				toasts.show(
					`Removed ${title}.`,
					() => undo([{ before: shown, after: undefined }]),
					true,
				);
			});
		},
	};
}
