// The loaded animals that match the filter, page after page, and their number.
import { type ReadonlySignal, signal } from "@preact/signals";
import { toMessage } from "../api/error.ts";
import {
	type Count,
	type Done,
	type Filter,
	findLimit,
	type Pet,
	type Pets,
	toQuery,
} from "../api/pets.ts";
import type { Query } from "../route.ts";

const beginning = {
	isLoading: false,
	hasBegun: false,
	hasMore: true,
	/** It failed, and continues only when the user asks for it. */
	isStopped: false,
};

type Progress = Readonly<typeof beginning>;

export type PetList = ReturnType<typeof createPetList>;

export function createPetList(pets: Pets, query: ReadonlySignal<Query>) {
	/** Of the last search. */
	const filter = signal(toFilter(query.peek()));
	const shown = signal<readonly Pet[]>([]);
	/** Removed animals keep their rows until the next search, so that no other row moves. */
	const removed = signal<ReadonlySet<bigint>>(new Set());
	const progress = signal<Progress>(beginning);
	const failure = signal<string | undefined>(undefined);
	const counts = signal<{ matching?: Count; all?: Count }>({});
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
		set({ isLoading: true, isStopped: false });
		try {
			await gather(filter.peek(), signal);
			set({ isLoading: false });
		} catch (error) {
			if (signal.aborted) return;
			// The shown animals belong to the previous search.
			if (!progress.peek().hasBegun) shown.value = [];
			failure.value = toMessage(error);
			set({ isLoading: false, isStopped: true });
		}
	}

	/** Loads until a page is full or the catalogue ends. */
	async function gather(filter: Filter, signal: AbortSignal): Promise<void> {
		for (let sum = 0; sum < findLimit; ) {
			const page = await pets.find(filter, next, signal);
			const { hasBegun } = progress.peek();
			const before = hasBegun ? shown.peek() : [];
			shown.value = [...before, ...page.pets];
			if (!hasBegun) {
				removed.value = new Set();
				void count();
			}
			const hasMore = page.next !== undefined;
			set({ hasBegun: true, hasMore });
			sum += page.pets.length;
			next = page.next ?? "";
			if (!hasMore) return;
		}
	}

	async function count(): Promise<void> {
		const wanted = filter.peek();
		const [matching, all] = await Promise.all([
			pets.count(wanted).catch(() => undefined),
			pets.count({}).catch(() => undefined),
		]);
		if (wanted === filter.peek())
			counts.value = { ...(matching && { matching }), ...(all && { all }) };
	}

	return {
		filter,
		shown,
		removed,
		progress,
		failure,
		counts,
		more,
		count,
		/** Whether the address asks for another search. */
		isOutdated: () =>
			toQuery(toFilter(query.peek())) !== toQuery(filter.peek()),
		/** From the beginning. The page shows the previous animals until the first reply. */
		search(): void {
			ending.abort();
			filter.value = toFilter(query.peek());
			next = "";
			progress.value = beginning;
			void more();
		},
		/** Shows changes of animals that are loaded. */
		show(changes: readonly Done[]): void {
			const byId = new Map(changes.map((done) => [done.before.id, done]));
			shown.value = shown.peek().flatMap((pet) => {
				const { after } = byId.get(pet.id) ?? { after: pet };
				return after ?? [];
			});
			removed.value = removed.peek().difference(byId);
		},
		/** Replaces shown animals. Inserts others in order, if the list is loaded that far. */
		put(pets: readonly Pet[]): void {
			const ids = new Set(pets.map(({ id }) => id));
			const { hasMore } = progress.peek();
			const end = shown.peek().at(-1);
			const within = pets.filter(
				({ id }) => !hasMore || (end !== undefined && end.id <= id),
			);
			const others = shown.peek().filter(({ id }) => !ids.has(id));
			shown.value = [...others, ...within].sort((one, other) =>
				one.id > other.id ? -1 : 1,
			);
			removed.value = removed.peek().difference(ids);
		},
	};
}

/** The filter in the address. */
function toFilter({
	search = "",
	status = "",
	categoryId = "",
}: Query): Filter {
	return { name: search, status, categoryId };
}
