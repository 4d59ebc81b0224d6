// Removals with undo: animals are hidden at once. The request is sent after the undo time, or when the user leaves the page.
import { toMessage } from "../api/error.ts";
import { type Conflict, type Pet, type Pets, toConflict } from "../api/pets.ts";
import { capitalise, formatNumber, toTitle } from "../parts/format.ts";
import type { Toasts } from "../parts/toasts.tsx";
import type { PetList } from "./list.ts";

/** How long the user can undo a removal. */
export const undoMs = 10_000;

export type Removals = ReturnType<typeof createRemovals>;

export function createRemovals(pets: Pets, list: PetList, toasts: Toasts) {
	/** One entry for each removal. One message and one button are for all of them. */
	let waiting: readonly (readonly Pet[])[] = [];
	let endWaiting = () => {};

	function takeWaiting(): readonly (readonly Pet[])[] {
		endWaiting();
		const taken = waiting;
		waiting = [];
		return taken;
	}

	/** Sends the waiting removals. Returns sentences for a user who signs out, each after a space. */
	async function sendAll(): Promise<string> {
		const taken = takeWaiting();
		const removed = (await Promise.all(taken.map(sendRemoval))).flat();
		if (removed.length > 0) toasts.show(`Removed ${toTitles(removed)}.`);
		const failed = taken.flat().length - removed.length;
		return (
			toSentence(removed.length, "removed") + toSentence(failed, "not removed")
		);
	}

	/** Returns the removed animals: all or none. */
	async function sendRemoval(shown: readonly Pet[]): Promise<readonly Pet[]> {
		const changes = shown.map((pet) => ({ shown: pet, remove: true }) as const);
		try {
			await pets.change(changes, { keepalive: true });
			list.drop(toIds(shown));
			return shown;
		} catch (error) {
			const conflict = toConflict(error, changes);
			const why = conflict ? toConflictText(conflict) : toMessage(error);
			toasts.fail(`Could not remove ${toTitles(shown)}. ${why}`);
			if (conflict?.kind === "removed") list.drop([conflict.pet.id]);
			else if (conflict !== undefined) list.replace([conflict.pet]);
			return [];
		} finally {
			list.unhide(toIds(shown));
		}
	}

	return {
		remove(shown: readonly Pet[], takesFocus: boolean): void {
			endWaiting();
			waiting = [...waiting, shown];
			list.hide(toIds(shown));
			const close = toasts.show(`Removing ${toTitles(waiting.flat())}`, {
				ms: undoMs,
				run: () => list.unhide(toIds(takeWaiting().flat())),
				takesFocus,
			});
			const timer = setTimeout(sendAll, undoMs);
			endWaiting = () => {
				clearTimeout(timer);
				close();
			};
		},
		sendAll,
	};
}

function toIds(shown: readonly Pet[]): readonly bigint[] {
	return shown.map(({ id }) => id);
}

/** The name of one animal, or the number of several. */
export function toTitles(pets: readonly Pet[]): string {
	const [pet] = pets;
	return pet !== undefined && pets.length === 1
		? toTitle(pet)
		: formatNumber(pets.length, "animal");
}

function toSentence(count: number, words: string): string {
	if (count === 0) return "";
	const verb = count === 1 ? "was" : "were";
	return ` ${formatNumber(count, "animal")} ${verb} ${words}.`;
}

export function toConflictText({ kind, pet }: Conflict): string {
	const what = kind === "removed" ? "removed" : "changed";
	return `${capitalise(toTitle(pet))} was ${what} by somebody else.`;
}
