// What the user can do with animals, and what the page says about it.
import { type Signal, signal } from "@preact/signals";
import { toMessage } from "../api/error.ts";
import {
	type NewPet,
	type Pet,
	type PetStatus,
	type Pets,
	toConflict,
} from "../api/pets.ts";
import { capitalise, toTitle } from "../parts/names.ts";
import type { Toasts } from "../parts/toasts.tsx";
import type { PetList } from "./list.ts";
import type { Removals } from "./removals.ts";
import { changeShown, toConflictText } from "./shown.ts";

/** The dialog that is open. */
export type OpenDialog =
	| { readonly kind: "add" }
	| { readonly kind: "edit"; readonly pet: Pet }
	| {
			readonly kind: "conflict";
			/** The animal as it is now. */
			readonly current: Pet;
			/** What the user wanted to change. */
			readonly set: Partial<NewPet>;
	  };

export interface Actions {
	readonly dialog: Signal<OpenDialog | undefined>;
	/** The ids of the selected animals. */
	readonly selected: Signal<ReadonlySet<bigint>>;
	/** Those that a request is being made for. */
	readonly busy: Signal<ReadonlySet<bigint>>;
	readonly add: (pet: NewPet, idempotencyKey: string) => Promise<void>;
	/** Changes an animal as it is shown, or shows the conflict. Rejects with what went wrong. */
	readonly change: (shown: Pet, set: Partial<NewPet>) => Promise<void>;
	readonly setStatus: (shown: Pet, status: PetStatus) => Promise<void>;
	readonly setStatuses: (
		shown: readonly Pet[],
		status: PetStatus,
	) => Promise<void>;
	/** The button that undoes it gets the focus if `isByKeyboard`. */
	readonly remove: (
		shown: readonly Pet[],
		isByKeyboard: boolean,
	) => Promise<void>;
}

export function createActions(
	pets: Pets,
	list: PetList,
	removals: Removals,
	toasts: Toasts,
): Actions {
	const dialog = signal<OpenDialog | undefined>(undefined);
	const selected = signal<ReadonlySet<bigint>>(new Set());
	const busy = signal<ReadonlySet<bigint>>(new Set());

	async function change(shown: Pet, set: Partial<NewPet>): Promise<void> {
		const outcome = await changeShown(pets, shown, set);
		dialog.value = undefined;
		if (outcome.kind === "removed") {
			list.drop([shown.id]);
			toasts.show({ text: toConflictText(outcome), isFailure: true });
			return;
		}
		list.replace([outcome.pet]);
		if (outcome.kind === "different")
			dialog.value = { kind: "conflict", current: outcome.pet, set };
		else toasts.show({ text: toChangeText(outcome.pet, set) });
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
			toasts.show({
				text: `That failed. ${toMessage(error)}`,
				isFailure: true,
			}),
		);
		busy.value = new Set([...busy.peek()].filter((id) => !ids.includes(id)));
	}

	return {
		dialog,
		selected,
		busy,
		async add(pet, idempotencyKey) {
			const added = await pets.add(pet, idempotencyKey);
			dialog.value = undefined;
			list.addFirst(added);
			toasts.show({
				text: `${capitalise(toTitle(added))} is added, with the id ${added.id}.`,
			});
		},
		change,
		setStatus: (shown, status) => run([shown], () => change(shown, { status })),
		setStatuses: (shown, status) =>
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
					const text = `${toConflictText(conflict)} Nothing was changed, and the list is loaded again.`;
					toasts.show({ text, isFailure: true });
					return;
				}
				selected.value = new Set();
				toasts.show({ text: `Set to ${status}: ${toTitles(shown)}.` });
			}),
		async remove(shown, isByKeyboard) {
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
