// What the user can do with animals, and what the page says about it.
import { type Signal, signal } from "@preact/signals";
import { hasCode, toMessage } from "../api/error.ts";
import type { NewPet, Pet, PetStatus, Pets } from "../api/pets.ts";
import { capitalise, toTitle } from "../parts/names.ts";
import type { Toasts } from "../parts/toasts.tsx";
import type { PetList } from "./list.ts";
import type { Removals } from "./removals.ts";
import { type Checked, changeShown, checkShown } from "./shown.ts";

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
		if (outcome.kind === "removed") return reportRemoved([shown]);
		list.replace([outcome.pet]);
		if (outcome.kind === "different")
			dialog.value = { kind: "conflict", current: outcome.pet, set };
		else toasts.show({ text: toChangeText(outcome.pet, set) });
	}

	function reportRemoved(removed: readonly Pet[], consequence = ""): void {
		list.drop(removed.map(({ id }) => id));
		const text = `${capitalise(toTitles(removed))} ${toWas(removed)} removed by somebody else${consequence}.`;
		toasts.show({ text, isFailure: true });
	}

	/** Shows what others have changed. Returns whether there is nothing of the kind. */
	function isUnchanged({ different, removed }: Checked): boolean {
		list.replace(different);
		if (removed.length > 0) reportRemoved(removed, ", so nothing was changed");
		if (different.length > 0)
			toasts.show({
				text: `${capitalise(toTitles(different))} ${toWas(different)} changed by somebody else, so nothing was changed. The list shows the new content.`,
				isFailure: true,
			});
		return different.length + removed.length === 0;
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
				const checked = await checkShown(pets, shown);
				if (!isUnchanged(checked)) return;
				const set = { status };
				try {
					await pets.changeMany(
						checked.same.map((version) => ({ version, set })),
						false,
					);
				} catch (error) {
					// Somebody else was faster than the request.
					if (!hasCode(error, "not_found", "precondition_failed")) throw error;
					if (!isUnchanged(await checkShown(pets, shown))) return;
					throw error;
				}
				list.replace(shown.map((pet) => ({ ...pet, status })));
				selected.value = new Set();
				toasts.show({ text: `Set to ${status}: ${toTitles(shown)}.` });
			}),
		remove: (shown, isByKeyboard) =>
			run(shown, async () => {
				const checked = await checkShown(pets, shown);
				if (!isUnchanged(checked)) return;
				const ids = shown.map(({ id }) => id);
				const rest = [...selected.peek()].filter((id) => !ids.includes(id));
				selected.value = new Set(rest);
				removals.remove(checked.same, isByKeyboard);
			}),
	};
}

/** The first ones by their names, the others by their number. */
function toTitles(pets: readonly Pet[]): string {
	const titles = pets.slice(0, 3).map(toTitle);
	const others = pets.length - titles.length;
	return titles.join(", ") + (others > 0 ? ` and ${others} more` : "");
}

function toWas({ length }: readonly Pet[]): string {
	return length === 1 ? "was" : "were";
}

function toChangeText(pet: Pet, set: Partial<NewPet>): string {
	const isStatus = set.status !== undefined && Object.keys(set).length === 1;
	return `${capitalise(toTitle(pet))} is ${isStatus ? pet.status : "saved"}.`;
}
