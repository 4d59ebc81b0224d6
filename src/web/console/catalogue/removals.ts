// Removals that can be undone: the animals are hidden at once, and the request is sent only when the time to undo it is over, or when
// the page is closed.
import { toMessage } from "../api/error.ts";
import { type Change, type Pet, type Pets, toConflict } from "../api/pets.ts";
import { toTitle } from "../parts/labels.ts";
import type { Toasts } from "../parts/toasts.tsx";
import { toConflictText } from "./change-shown.ts";
import type { PetList } from "./list.ts";

/** How long a removal can be undone before it is sent. */
export const undoMs = 10_000;

export type Removals = ReturnType<typeof createRemovals>;

export function createRemovals(pets: Pets, list: PetList, toasts: Toasts) {
	/** One entry for each removal. All of them have one message, and are undone together. */
	let waiting: readonly (readonly Pet[])[] = [];
	let endWaiting = () => {};

	function remove(shown: readonly Pet[], takesFocus: boolean): void {
		endWaiting();
		waiting = [...waiting, shown];
		list.hide(toIds(shown));
		const close = toasts.show(`Removing ${toTitles(waiting.flat())}`, {
			...{ ms: undoMs, run: undo, takesFocus },
		});
		const timer = setTimeout(sendAll, undoMs);
		endWaiting = () => {
			clearTimeout(timer);
			close();
		};
	}

	function undo(): void {
		list.unhide(toIds(takeWaiting().flat()));
	}

	function takeWaiting(): readonly (readonly Pet[])[] {
		endWaiting();
		const taken = waiting;
		waiting = [];
		return taken;
	}

	/** Sends those that wait, since the user leaves. Returns what to say about it, each sentence after a space. */
	async function sendAll(): Promise<string> {
		const taken = takeWaiting();
		const removed = (await Promise.all(taken.map(sendRemoval))).flat();
		if (removed.length > 0) toasts.show(`Removed ${toTitles(removed)}.`);
		return toSentences(removed.length, taken.flat().length - removed.length);
	}

	/** Returns those that were removed: all or none. */
	async function sendRemoval(shown: readonly Pet[]): Promise<readonly Pet[]> {
		const ids = toIds(shown);
		try {
			await pets.change(toChanges(shown), { keepalive: true });
			list.drop(ids);
			return shown;
		} catch (error) {
			const conflict = toConflict(error, toChanges(shown));
			const why =
				conflict === undefined ? toMessage(error) : toConflictText(conflict);
			toasts.fail(`Removing ${toTitles(shown)} failed. ${why}`);
			if (conflict?.kind === "removed") list.drop([conflict.pet.id]);
			else if (conflict !== undefined) list.replace([conflict.pet]);
			return [];
		} finally {
			list.unhide(ids);
		}
	}

	return { remove, sendAll };
}

function toIds(shown: readonly Pet[]): readonly bigint[] {
	return shown.map(({ id }) => id);
}

function toChanges(shown: readonly Pet[]): readonly Change[] {
	return shown.map((pet) => ({ shown: pet, remove: true }));
}

function toTitles(shown: readonly Pet[]): string {
	const [pet] = shown;
	return pet !== undefined && shown.length === 1
		? toTitle(pet)
		: `${shown.length} animals`;
}

function toSentences(removed: number, failed: number): string {
	const toSentence = (count: number, words: string) =>
		count === 0
			? ""
			: ` ${count} ${count === 1 ? "animal was" : "animals were"} ${words}.`;
	return toSentence(removed, "removed") + toSentence(failed, "not removed");
}
