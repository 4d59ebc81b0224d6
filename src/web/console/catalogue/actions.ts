// Adds, changes and removes animals, one or many in batches, shows the outcome, and undoes changes.
import { signal } from "@preact/signals";
import { toQuantity } from "../../../domain/quantity.ts";
import type { Api } from "../api/api.ts";
import { toMessage } from "../api/error.ts";
import { readPet } from "../api/history.ts";
import {
	batchLimit,
	type Change,
	type Done,
	type NewPet,
	type Pet,
	type PetStatus,
	type Pets,
	toConflict,
} from "../api/pets.ts";
import { capitalise, toTitle, toTitles } from "../parts/format.ts";
import type { Toasts } from "../parts/toasts.tsx";
import { isSame, toDifference } from "./content.tsx";
import type { PetList } from "./list.ts";

/** Browsers send this many requests to one host at the same time. */
const restoresAtOnce = 6;

type OpenDialog =
	| { readonly kind: "add" | "import" }
	| {
			readonly kind: "conflict";
			readonly current: Pet;
			readonly set: Partial<NewPet>;
	  };

interface Work {
	readonly text: string;
	readonly done: number;
	/** Undefined if it is not known. */
	readonly of: number | undefined;
	readonly stop: () => void;
}

export type Actions = ReturnType<typeof createActions>;

export function createActions(
	api: Api,
	pets: Pets,
	list: PetList,
	toasts: Toasts,
) {
	const dialog = signal<OpenDialog | undefined>(undefined);
	const work = signal<Work | undefined>(undefined);
	const finish = (...message: Parameters<Toasts["show"]>) => {
		dialog.value = undefined;
		void list.count();
		toasts.show(...message);
	};

	/** Changes all or none. After a conflict, `settle` returns what to change instead, and the batch runs again. */
	async function changeBatch(
		changes: readonly Change[],
		settle: (conflict: Done) => readonly Change[],
	): Promise<readonly Done[]> {
		if (changes.length === 0) return [];
		try {
			const done = await pets.change(changes);
			list.show(done);
			return done;
		} catch (error) {
			const conflict = toConflict(error, changes);
			if (conflict === undefined) throw error;
			list.show([conflict]);
			const { id } = conflict.before;
			const others = changes.filter(({ shown }) => shown.id !== id);
			return changeBatch([...settle(conflict), ...others], settle);
		}
	}

	/** Changes the animal only if it is still as shown. Shows a change by somebody else instead of overwriting it. */
	async function change(shown: Pet, set: Partial<NewPet>): Promise<void> {
		const isStatus = Object.keys(set).join() === "status";
		const toText = (pet: Pet) =>
			`${capitalise(toTitle(pet))} is ${isStatus ? pet.status : "saved"}.`;
		const done = await changeBatch([{ shown, set }], (conflict) => {
			const { after: current } = conflict;
			if (current === undefined) throw new Error(toConflictText(conflict));
			// Somebody else made the same change, or the reply to an earlier attempt was lost.
			if (isSame(current, { ...current, ...set })) finish(toText(current));
			else dialog.value = { kind: "conflict", current, set };
			return [];
		});
		for (const { before, after = before } of done)
			finish(
				toText(after),
				isSame(before, after) ? undefined : () => undo(done),
			);
	}

	/** Runs one action at a time, and counts its progress. */
	async function run(
		text: string,
		of: number | undefined,
		action: (
			count: (more: number) => void,
			ending: AbortSignal,
		) => Promise<void>,
	): Promise<void> {
		if (work.peek() !== undefined) return;
		const ending = new AbortController();
		const count = (more: number) => {
			ending.signal.throwIfAborted();
			const done = (work.peek()?.done ?? 0) + more;
			work.value = { text, done, of, stop: () => ending.abort() };
		};
		count(0);
		try {
			await action(count, ending.signal);
		} catch (error) {
			if (!ending.signal.aborted)
				toasts.fail(`${text} failed. ${toMessage(error)}`);
		}
		work.value = undefined;
		void list.count();
	}

	/** Undoes changes in batches. Removed animals come back from the history. Later changes by others stay. */
	async function undo(done: readonly Done[]): Promise<void> {
		const restored: Pet[] = [];
		let others = 0;
		const removed = done.filter(({ after }) => after === undefined);
		const changes = done.flatMap(({ before, after }) =>
			after ? [{ shown: after, set: toDifference(after, before) }] : [],
		);
		await run("Put back", done.length, async (count) => {
			for (const batch of toBatches(changes)) {
				const changed = await changeBatch(batch, () => {
					others++;
					return [];
				});
				restored.push(...changed.map(({ before }) => before));
				count(batch.length);
			}
			for (const some of toBatches(removed, restoresAtOnce)) {
				const restoring = some.map(({ before }) => pets.restore(before));
				const back = await Promise.all(restoring);
				list.put(back);
				restored.push(...back);
				count(some.length);
			}
		});
		const back = `Put back: ${toTitles(restored)}.`;
		if (others > 0) toasts.show(`${back} ${toOthersText(others)}`);
		else if (restored.length > 0) toasts.show(back);
	}

	const remove = (shown: Pet) =>
		toasts.attempt(`Could not remove ${toTitle(shown)}.`, async () => {
			const changes = [{ shown, remove: true } as const];
			const done = await changeBatch(changes, (conflict) => {
				throw new Error(toConflictText(conflict));
			});
			finish(`Removed ${toTitle(shown)}.`, () => undo(done), true);
		});

	return {
		dialog,
		work,
		changeBatch,
		change,
		run,
		undo,
		remove,
		open(next: OpenDialog | undefined): void {
			dialog.value = next;
		},
		async add(pet: NewPet, idempotencyKey: string): Promise<void> {
			const added = await pets.add(pet, idempotencyKey);
			list.put([added]);
			finish(`Added ${toTitle(added)} with the id ${added.id}.`);
		},
		setStatus: (shown: Pet, status: PetStatus) =>
			toasts.attempt("Could not change the status.", () =>
				change(shown, { status }),
			),
		/** Restores the content before a change, whatever was changed since. */
		restore: (before: Pet) =>
			toasts.attempt(`Could not put back ${toTitle(before)}.`, async () => {
				const { pet } = await readPet(api, pets, String(before.id));
				const after = await pets.restore(before);
				list.put([after]);
				const title = capitalise(toTitle(after));
				if (pet === undefined)
					finish(`${title} is back.`, async () => void (await remove(after)));
				else
					finish(
						`${title} is as it was before this change.`,
						isSame(pet, after)
							? undefined
							: () => undo([{ before: pet, after }]),
					);
			}),
	};
}

export function* toBatches<Item>(
	all: readonly Item[],
	size = batchLimit,
): Generator<readonly Item[]> {
	for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

export function toConflictText({ before, after }: Done): string {
	const what = after === undefined ? "removed" : "changed";
	return `${capitalise(toTitle(before))} was ${what} by somebody else.`;
}

export function toOthersText(others: number): string {
	return `Changed by somebody else since: ${toQuantity(others, "animal")}.`;
}
