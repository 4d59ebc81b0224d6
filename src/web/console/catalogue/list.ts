// The loaded animals that match the filter, newest first, page after page.
import { computed, signal } from "@preact/signals";
import { toMessage } from "../api/error.ts";
import { type Filter, findLimit, type Pet, type Pets } from "../api/pets.ts";

export const noFilter: Filter = { name: "", status: "", categoryId: "" };

/** A search that cannot fill a page stops after this many animals and asks the user. */
export const maxLookedAutomatically = 100_000;

const beginning = {
	isLoading: false,
	hasBegun: false,
	hasMore: true,
	/** The last search stopped before it filled a page. It continues only when the user asks for it. */
	isPaused: false,
	looked: 0,
};

export type PetList = ReturnType<typeof createPetList>;

export function createPetList(pets: Pets) {
	const filter = signal(noFilter);
	const loaded = signal<readonly Pet[]>([]);
	const hidden = signal<ReadonlySet<bigint>>(new Set());
	const progress = signal(beginning);
	const failure = signal<string | undefined>(undefined);
	let next = "";
	let ending = new AbortController();
	const set = (part: Partial<typeof beginning>) => {
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
			// The shown animals belong to the previous search.
			if (!progress.peek().hasBegun) loaded.value = [];
			failure.value = toMessage(error);
			set({ isLoading: false, isPaused: true });
		}
	}

	/** Loads until a page is full or the catalogue ends. Returns whether it stopped before that. */
	async function gather(signal: AbortSignal): Promise<boolean> {
		if (!isCategory(filter.peek().categoryId))
			throw new Error("The category must be a whole number.");
		let found = 0;
		let looked = 0;
		while (looked < maxLookedAutomatically) {
			const page = await pets.find(filter.peek(), next, signal);
			// The search may have been stopped before the reply came.
			signal.throwIfAborted();
			const { hasBegun, looked: before } = progress.peek();
			loaded.value = hasBegun ? [...loaded.peek(), ...page.pets] : page.pets;
			const hasMore = page.next !== undefined;
			set({ hasBegun: true, hasMore, looked: before + page.looked });
			next = page.next ?? "";
			found += page.pets.length;
			looked += page.looked;
			if (!hasMore || found >= findLimit) return false;
		}
		return true;
	}

	return {
		filter,
		/** Without the animals of open removals. */
		shown: computed(() =>
			loaded.value.filter(({ id }) => !hidden.value.has(id)),
		),
		progress,
		failure,
		search(wanted: Filter): void {
			ending.abort();
			next = "";
			filter.value = wanted;
			// The page shows the previous animals until the first reply.
			progress.value = beginning;
			void more();
		},
		more,
		stop(): void {
			ending.abort();
			set({ isLoading: false, isPaused: true, hasBegun: true });
		},
		replace(changed: readonly Pet[]): void {
			const byId = new Map(changed.map((pet) => [pet.id, pet]));
			loaded.value = loaded.peek().map((pet) => byId.get(pet.id) ?? pet);
		},
		addFirst(pet: Pet): void {
			loaded.value = [pet, ...loaded.peek()];
		},
		drop(ids: readonly bigint[]): void {
			loaded.value = loaded.peek().filter(({ id }) => !ids.includes(id));
		},
		hide(ids: readonly bigint[]): void {
			hidden.value = new Set([...hidden.peek(), ...ids]);
		},
		unhide(ids: readonly bigint[]): void {
			hidden.value = hidden.peek().difference(new Set(ids));
		},
	};
}

/** Whether the text is empty or looks like an int64. The service checks the range. */
export function isCategory(text: string): boolean {
	return /^(-?\d{1,19})?$/.test(text);
}
