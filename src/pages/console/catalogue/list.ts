// The animals that were loaded: those that the filter lets through, newest first, page after page.
import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import { findLimit, maxLookedAutomatically } from "../../../limits.ts";
import { toMessage } from "../api/error.ts";
import type { Filter, Found, Pet, Pets } from "../api/pets.ts";

export const noFilter: Filter = { name: "", status: "", categoryId: "" };

export interface PetList {
	readonly filter: ReadonlySignal<Filter>;
	/** Without those that are being removed. */
	readonly shown: ReadonlySignal<readonly Pet[]>;
	readonly progress: ReadonlySignal<Progress>;
	readonly failure: ReadonlySignal<string | undefined>;
	/** Begins anew, with another filter or the same. */
	readonly search: (filter: Filter) => void;
	/** Loads the next page. */
	readonly more: () => Promise<void>;
	/** Ends a search that takes long. */
	readonly stop: () => void;
	readonly replace: (pets: readonly Pet[]) => void;
	readonly addFirst: (pet: Pet) => void;
	readonly drop: (ids: readonly bigint[]) => void;
	readonly hide: (ids: readonly bigint[]) => void;
	readonly unhide: (ids: readonly bigint[]) => void;
}

export interface Progress {
	readonly isLoading: boolean;
	/** Whether the first page has been loaded. */
	readonly hasBegun: boolean;
	readonly hasMore: boolean;
	/** The last search has stopped before it had found a page. It goes on only when it is told to. */
	readonly isPaused: boolean;
	/** How many animals were looked at. */
	readonly looked: number;
}

const beginning: Progress = {
	isLoading: false,
	hasBegun: false,
	hasMore: true,
	isPaused: false,
	looked: 0,
};

export function createPetList(pets: Pets): PetList {
	const filter = signal(noFilter);
	const loaded = signal<readonly Pet[]>([]);
	const hidden = signal<ReadonlySet<bigint>>(new Set());
	const progress = signal(beginning);
	const failure = signal<string | undefined>(undefined);
	let next = "";
	let ending = new AbortController();
	const set = (part: Partial<Progress>) => {
		progress.value = { ...progress.peek(), ...part };
	};

	async function more(): Promise<void> {
		const { isLoading, hasMore } = progress.peek();
		if (isLoading || !hasMore) return;
		ending = new AbortController();
		const { signal } = ending;
		failure.value = undefined;
		set({ isLoading: true, isPaused: false });
		try {
			set({ isLoading: false, isPaused: await gather(signal) });
		} catch (error) {
			if (signal.aborted) return;
			// What is shown belongs to the search before.
			if (!progress.peek().hasBegun) loaded.value = [];
			failure.value = toMessage(error);
			set({ isLoading: false, isPaused: true });
		}
	}

	/** Loads until a page is full or everything was looked at. Returns whether it has stopped before that. */
	async function gather(signal: AbortSignal): Promise<boolean> {
		requireValid(filter.peek());
		let found = 0;
		let looked = 0;
		while (looked < maxLookedAutomatically) {
			const page = await pets.find(filter.peek(), next, signal);
			// A reply that was on its way when the search was stopped.
			signal.throwIfAborted();
			show(page);
			found += page.pets.length;
			looked += page.looked;
			if (page.next === undefined || found >= findLimit) return false;
		}
		return true;
	}

	function show({ pets, next: following, looked }: Found): void {
		const { hasBegun, looked: before } = progress.peek();
		batch(() => {
			loaded.value = hasBegun ? [...loaded.peek(), ...pets] : pets;
			set({
				hasBegun: true,
				hasMore: following !== undefined,
				looked: before + looked,
			});
		});
		next = following ?? "";
	}

	return {
		filter,
		shown: computed(() =>
			loaded.value.filter(({ id }) => !hidden.value.has(id)),
		),
		progress,
		failure,
		search(wanted) {
			ending.abort();
			next = "";
			filter.value = wanted;
			// What is shown stays until there is something else to show.
			progress.value = beginning;
			void more();
		},
		more,
		stop() {
			ending.abort();
			set({ isLoading: false, isPaused: true, hasBegun: true });
		},
		replace(changed) {
			const byId = new Map(changed.map((pet) => [pet.id, pet]));
			loaded.value = loaded.peek().map((pet) => byId.get(pet.id) ?? pet);
		},
		addFirst(pet) {
			loaded.value = [pet, ...loaded.peek()];
		},
		drop(ids) {
			loaded.value = loaded.peek().filter(({ id }) => !ids.includes(id));
		},
		hide(ids) {
			hidden.value = new Set([...hidden.peek(), ...ids]);
		},
		unhide(ids) {
			const rest = [...hidden.peek()].filter((id) => !ids.includes(id));
			hidden.value = new Set(rest);
		},
	};
}

function requireValid({ categoryId }: Filter): void {
	if (!isCategory(categoryId))
		throw new Error("The category must be a whole number.");
}

/** Whether a category can be looked for. The service refuses one that is no int64. */
export function isCategory(text: string): boolean {
	return /^(-?\d{1,19})?$/.test(text);
}
