// Follows the feed: marks what others change for a moment, and counts the animals that they add. No row moves.
import { signal } from "@preact/signals";
import { toComparable } from "../../../domain/comparable.ts";
import { hasCode } from "../api/error.ts";
import type { Changes, Done, Filter, Pet, Pets } from "../api/pets.ts";
import type { PetList } from "./list.ts";

export const followMs = 2_000;
const markMs = 3_000;
/** After this many pages of changes at once, the list reloads. */
const maxPages = 20;

export function createFollower(pets: Pets, list: PetList) {
	const marked = signal<ReadonlySet<bigint>>(new Set());
	/** Added by others since the search, not shown. */
	const added = signal<ReadonlySet<bigint>>(new Set());
	let position: bigint | undefined;

	function search(): void {
		added.value = new Set();
		list.search();
	}

	function mark(ids: ReadonlySet<bigint>): void {
		if (ids.size === 0) return;
		marked.value = marked.peek().union(ids);
		setTimeout(() => {
			marked.value = marked.peek().difference(ids);
		}, markMs);
	}

	function apply(changes: Changes["changes"]): void {
		const shown = new Map(list.shown.peek().map((pet) => [pet.id, pet]));
		const removed = new Set(list.removed.peek());
		const filter = list.filter.peek();
		const newest = list.shown.peek()[0]?.id ?? 0n;
		const changed: Done[] = [];
		const fresh = new Set(added.peek());
		for (const { petId, pet } of changes) {
			const known = shown.get(petId);
			if (pet === undefined) {
				fresh.delete(petId);
				if (known !== undefined) removed.add(petId);
			} else if (known !== undefined) {
				if (known.version !== pet.version || removed.has(petId))
					changed.push({ before: known, after: pet });
			} else if (petId > newest && fits(pet, filter)) fresh.add(petId);
		}
		const gone = removed.difference(list.removed.peek());
		list.removed.value = removed;
		list.show(changed);
		added.value = fresh;
		void list.count();
		mark(gone.union(new Set(changed.map(({ before }) => before.id))));
	}

	/** Reads new changes. At first, or after the position has expired, it starts a search. */
	async function follow(ending: AbortSignal): Promise<void> {
		try {
			if (position === undefined) {
				({ next: position } = await pets.listChanges("now", ending));
				search();
			}
			for (let count = 0; count < maxPages; count++) {
				const page = await pets.listChanges(position, ending);
				position = page.next;
				if (page.changes.length > 0) apply(page.changes);
				if (!page.more) return;
			}
			position = undefined;
		} catch (error) {
			if (hasCode(error, "gone")) position = undefined;
		}
	}

	return {
		marked,
		added,
		search,
		follow,
		showAdded(): void {
			mark(added.peek());
			search();
		},
	};
}

/** Whether a search with this filter would find the animal. */
function fits(pet: Pet, { name = "", status, categoryId }: Filter) {
	return (
		(!status || status === pet.status) &&
		(!categoryId || categoryId === String(pet.categoryId)) &&
		(toComparable(pet.name).includes(toComparable(name)) ||
			name === String(pet.id))
	);
}
