// Removals that can be undone: the animals are hidden at once, and the request is sent only when the time to undo it is over, or when
// the page is closed.
import { undoMs } from "../../../limits.ts";
import { toMessage } from "../api/error.ts";
import type { Pets, Version } from "../api/pets.ts";
import type { Toasts } from "../parts/toasts.tsx";
import type { PetList } from "./list.ts";
import { checkShown } from "./shown.ts";

export interface Removals {
	readonly remove: (versions: readonly Version[], takesFocus: boolean) => void;
	/** Sends those that wait, since the user leaves. */
	readonly sendAll: () => Promise<void>;
}

export function createRemovals(
	pets: Pets,
	list: PetList,
	toasts: Toasts,
): Removals {
	const waiting = new Set<() => Promise<void>>();

	function remove(versions: readonly Version[], takesFocus: boolean): void {
		const ids = versions.map(({ pet }) => pet.id);
		const end = () => {
			waiting.delete(send);
			clearTimeout(timer);
			close();
		};
		const send = async () => {
			end();
			await sendRemoval(versions, ids);
		};
		const undo = () => {
			end();
			list.unhide(ids);
		};
		list.hide(ids);
		waiting.add(send);
		const text = `Removing ${toTitle(versions)}`;
		const close = toasts.show({
			text,
			undo: { ms: undoMs, run: undo, takesFocus },
		});
		const timer = setTimeout(send, undoMs);
	}

	async function sendRemoval(
		versions: readonly Version[],
		ids: readonly bigint[],
	): Promise<void> {
		try {
			await sendVersions(versions);
			list.drop(ids);
			toasts.show({ text: `Removed ${toTitle(versions)}.` });
		} catch (error) {
			const text = `Removing ${toTitle(versions)} failed. ${toMessage(error)}`;
			toasts.show({ text, isFailure: true });
			await refresh(versions).catch(() => undefined);
		}
		list.unhide(ids);
	}

	/** Shows what others have done with them. */
	async function refresh(versions: readonly Version[]): Promise<void> {
		const shown = versions.map(({ pet }) => pet);
		const { different, removed } = await checkShown(pets, shown);
		list.replace(different);
		list.drop(removed);
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

	return {
		remove,
		async sendAll() {
			await Promise.all([...waiting].map((send) => send()));
		},
	};
}

function toTitle(versions: readonly Version[]): string {
	const [version] = versions;
	return versions.length === 1
		? `“${version?.pet.name}”`
		: `${versions.length} animals`;
}
