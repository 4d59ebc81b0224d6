// Removals that can be undone: the animals are hidden at once, and the request is sent only when the time to undo it is over, or when
// the page is closed.
import { undoMs } from "../../../limits.ts";
import { toMessage } from "../api/error.ts";
import type { Pets, Version } from "../api/pets.ts";
import { toTitle } from "../parts/names.ts";
import type { Toasts } from "../parts/toasts.tsx";
import type { PetList } from "./list.ts";
import { checkShown } from "./shown.ts";

export interface Removals {
	readonly remove: (versions: readonly Version[], takesFocus: boolean) => void;
	/** Sends those that wait, since the user leaves. Returns what to say about it, each sentence after a space. */
	readonly sendAll: () => Promise<string>;
}

export function createRemovals(
	pets: Pets,
	list: PetList,
	toasts: Toasts,
): Removals {
	/** One entry for each removal. All of them have one message, and are undone together. */
	let waiting: readonly (readonly Version[])[] = [];
	let endWaiting = () => {};

	function remove(versions: readonly Version[], takesFocus: boolean): void {
		endWaiting();
		waiting = [...waiting, versions];
		list.hide(toIds(versions));
		const close = toasts.show({
			text: `Removing ${toTitles(waiting.flat())}`,
			undo: { ms: undoMs, run: undo, takesFocus },
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

	function takeWaiting(): readonly (readonly Version[])[] {
		endWaiting();
		const taken = waiting;
		waiting = [];
		return taken;
	}

	async function sendAll(): Promise<string> {
		const taken = takeWaiting();
		const removed = (await Promise.all(taken.map(sendRemoval))).flat();
		if (removed.length > 0)
			toasts.show({ text: `Removed ${toTitles(removed)}.` });
		return toSentences(removed.length, taken.flat().length - removed.length);
	}

	/** Returns those that were removed: all or none. */
	async function sendRemoval(
		versions: readonly Version[],
	): Promise<readonly Version[]> {
		const ids = toIds(versions);
		try {
			await sendVersions(versions);
			list.drop(ids);
			return versions;
		} catch (error) {
			const text = `Removing ${toTitles(versions)} failed. ${toMessage(error)}`;
			toasts.show({ text, isFailure: true });
			await refresh(versions).catch(() => undefined);
			return [];
		} finally {
			list.unhide(ids);
		}
	}

	/** Shows what others have done with them. */
	async function refresh(versions: readonly Version[]): Promise<void> {
		const shown = versions.map(({ pet }) => pet);
		const { different, removed } = await checkShown(pets, shown);
		list.replace(different);
		list.drop(removed.map(({ id }) => id));
	}

	async function sendVersions(versions: readonly Version[]): Promise<void> {
		const [version] = versions;
		if (version !== undefined && versions.length === 1)
			return pets.remove(version, true);
		const changes = versions.map((version) => ({
			version,
			remove: true as const,
		}));
		return pets.changeMany(changes, true);
	}

	return { remove, sendAll };
}

function toIds(versions: readonly Version[]): readonly bigint[] {
	return versions.map(({ pet }) => pet.id);
}

function toTitles(versions: readonly Version[]): string {
	const [version] = versions;
	return version !== undefined && versions.length === 1
		? toTitle(version.pet)
		: `${versions.length} animals`;
}

function toSentences(removed: number, failed: number): string {
	const toSentence = (count: number, words: string) =>
		count === 0
			? ""
			: ` ${count} ${count === 1 ? "animal was" : "animals were"} ${words}.`;
	return toSentence(removed, "removed") + toSentence(failed, "not removed");
}
