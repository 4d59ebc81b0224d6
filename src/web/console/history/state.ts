// The changes of all animals or of one, newest first, in pages. New ones appear at the top.
import { signal } from "@preact/signals";
import type { Api } from "../api/api.ts";
import { type Entry, listHistory } from "../api/history.ts";
import { toEntryName } from "../catalogue/history.tsx";
import { attempt } from "../parts/poll.tsx";
import type { Place } from "../route.ts";

export type HistoryState = ReturnType<typeof createHistory>;

export function createHistory(api: Api, place: Place) {
	const entries = signal<readonly Entry[] | undefined>(undefined);
	/** Where the next page begins; undefined after the last one. */
	const next = signal<bigint | undefined>(undefined);
	const failure = signal<string | undefined>(undefined);
	const isLoading = signal(false);

	/** One request searches a limited number of entries, so it asks until one is found. */
	async function readPage(after: string, ending?: AbortSignal) {
		const { pet = "", by = "" } = place.query.peek();
		for (let from = after; ; ) {
			const page = await listHistory(api, { pet, by, after: from }, ending);
			const found = page.entries.filter((entry) => isBy(entry, by));
			if (found.length > 0 || page.next === undefined)
				return { found, next: page.next };
			from = String(page.next);
		}
	}

	return {
		...{ place, entries, next, failure, isLoading },
		/** Forgets what another filter has found. */
		clear(): void {
			entries.value = undefined;
			next.value = undefined;
		},
		load: (ending?: AbortSignal) =>
			attempt(failure, ending, async () => {
				const newest = await readPage("", ending);
				const names = new Set(newest.found.map(toEntryName));
				const known = entries.peek() ?? [];
				const older = known.filter((entry) => !names.has(toEntryName(entry)));
				// Between these and older ones, entries may be missing.
				const isApart = older.length === known.length;
				entries.value = isApart ? newest.found : [...newest.found, ...older];
				if (isApart) next.value = newest.next;
			}),
		loadMore: () =>
			attempt(failure, undefined, async () => {
				isLoading.value = true;
				try {
					const page = await readPage(String(next.peek() ?? ""));
					entries.value = [...(entries.peek() ?? []), ...page.found];
					next.value = page.next;
				} finally {
					isLoading.value = false;
				}
			}),
	};
}

/** The service does it too, unless it is asked for one animal. */
function isBy({ by }: Entry, wanted: string): boolean {
	if (wanted === "") return true;
	return Object.values(by ?? {}).some((value) => String(value) === wanted);
}
