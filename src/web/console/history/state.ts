// The changes of all animals or of one, newest first, in pages. New ones appear at the top.
import { signal } from "@preact/signals";
import type { Api } from "../api/api.ts";
import { type Entry, listHistory } from "../api/history.ts";
import { attempt } from "../parts/poll.tsx";
import type { Place } from "../route.ts";

export function createHistory(api: Api, place: Place) {
	const entries = signal<readonly Entry[] | undefined>(undefined);
	const hasMore = signal(false);
	const failure = signal<string | undefined>(undefined);
	/** The number of pages that are shown. */
	let pages = 1;

	/** Reads all pages again: a new entry moves the others. */
	const load = (ending?: AbortSignal) =>
		attempt(failure, ending, async () => {
			const { pet = "", by = "" } = place.query.peek();
			const all: Entry[] = [];
			let cursor: string | undefined = "";
			for (let count = 0; count < pages && cursor !== undefined; ) {
				const page = await listHistory(api, { pet, by, cursor }, ending);
				const found = page.entries.filter((entry) => isBy(entry, by));
				all.push(...found);
				cursor = page.next;
				// One request searches a limited number of entries, and may find none.
				if (found.length > 0) count++;
			}
			entries.value = all;
			hasMore.value = cursor !== undefined;
		});

	return {
		place,
		entries,
		hasMore,
		failure,
		load,
		/** Forgets what another filter has found. */
		clear(): void {
			entries.value = undefined;
			hasMore.value = false;
			pages = 1;
		},
		loadMore(): Promise<void> {
			pages++;
			return load();
		},
	};
}

/** The service filters too, but not the history of one animal. */
function isBy({ by }: Entry, wanted: string): boolean {
	if (wanted === "") return true;
	return Object.values(by ?? {}).some((value) => String(value) === wanted);
}
