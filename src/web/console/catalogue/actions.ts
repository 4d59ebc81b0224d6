// What the user can do with animals, and what the page says about it.
import { signal } from "@preact/signals";
import { toMessage } from "../api/error.ts";
import {
	type NewPet,
	type Pet,
	type PetStatus,
	type Pets,
	toConflict,
} from "../api/pets.ts";
import { capitalise, toTitle } from "../parts/labels.ts";
import type { Toasts } from "../parts/toasts.tsx";
import { changeShown, toConflictText } from "./change-shown.ts";
import type { PetList } from "./list.ts";
import type { Removals } from "./removals.ts";

export type OpenDialog =
	| { readonly kind: "add" }
	| { readonly kind: "edit"; readonly pet: Pet }
	| {
			readonly kind: "conflict";
			/** The animal as it is now. */
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
	/** Those that a request is being made for. */
	const busy = signal<ReadonlySet<bigint>>(new Set());

	/** Changes an animal as it is shown, or shows the conflict. Rejects with what went wrong. */
	async function change(shown: Pet, set: Partial<NewPet>): Promise<void> {
		const outcome = await changeShown(pets, shown, set);
		dialog.value = undefined;
		if (outcome.kind === "removed") {
			list.drop([shown.id]);
			toasts.fail(toConflictText(outcome));
			return;
		}
		list.replace([outcome.pet]);
		if (outcome.kind === "different")
			dialog.value = { kind: "conflict", current: outcome.pet, set };
		else toasts.show(toChangeText(outcome.pet, set));
	}

	/** Marks the animals as busy meanwhile, and says what went wrong. */
	async function run(
		shown: readonly Pet[],
		action: () => Promise<void>,
	): Promise<void> {
		const ids = shown.map(({ id }) => id);
		if (ids.some((id) => busy.peek().has(id))) return;
		busy.value = new Set([...busy.peek(), ...ids]);
		await action().catch((error) =>
			toasts.fail(`That failed. ${toMessage(error)}`),
		);
		busy.value = new Set([...busy.peek()].filter((id) => !ids.includes(id)));
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
			const title = capitalise(toTitle(added));
			toasts.show(`${title} is added, with the id ${added.id}.`);
		},
		change,
		setStatus: (shown: Pet, status: PetStatus) =>
			run([shown], () => change(shown, { status })),
		setStatuses: (shown: readonly Pet[], status: PetStatus) =>
			run(shown, async () => {
				const changes = shown.map((pet) => ({ shown: pet, set: { status } }));
				try {
					const versions = await pets.change(changes);
					list.replace(
						shown.map((pet, index) => ({
							...{ ...pet, status },
							version: versions[index] ?? pet.version,
						})),
					);
				} catch (error) {
					const conflict = toConflict(error, changes);
					if (conflict === undefined) throw error;
					// Others may have changed too.
					list.search(list.filter.peek());
					const why = toConflictText(conflict);
					return toasts.fail(
						`${why} Nothing was changed, and the list is loaded again.`,
					);
				}
				selected.value = new Set();
				toasts.show(`Set to ${status}: ${toTitles(shown)}.`);
			}),
		/** The button that undoes it gets the focus if `isByKeyboard`. */
		remove(shown: readonly Pet[], isByKeyboard: boolean): void {
			const ids = shown.map(({ id }) => id);
			const rest = [...selected.peek()].filter((id) => !ids.includes(id));
			selected.value = new Set(rest);
			removals.remove(shown, isByKeyboard);
		},
	};
}

/** The first ones by their names, the others by their number. */
function toTitles(pets: readonly Pet[]): string {
	const titles = pets.slice(0, 3).map(toTitle);
	const others = pets.length - titles.length;
	return titles.join(", ") + (others > 0 ? ` and ${others} more` : "");
}

function toChangeText(pet: Pet, set: Partial<NewPet>): string {
	const isStatus = set.status !== undefined && Object.keys(set).length === 1;
	return `${capitalise(toTitle(pet))} is ${isStatus ? pet.status : "saved"}.`;
}
