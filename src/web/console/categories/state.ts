// The categories that have a name. The console shows the name instead of the id, and takes either.
import { computed, signal } from "@preact/signals";
import type { Api } from "../api/api.ts";
import { type Category, createCategoryNames } from "../api/categories.ts";
import { attempt } from "../parts/poll.tsx";

/** Names change seldom. */
export const categoriesRefreshMs = 60_000;

export type Categories = ReturnType<typeof createCategories>;

export function createCategories(api: Api) {
	const names = createCategoryNames(api);
	const all = signal<readonly Category[] | undefined>(undefined);
	const failure = signal<string | undefined>(undefined);
	const byId = computed(
		() => new Map(all.value?.map(({ id, name }) => [String(id), name])),
	);
	const load = (ending?: AbortSignal) =>
		attempt(failure, ending, async () => {
			all.value = await names.list(ending);
		});
	return {
		...{ all, failure, load },
		/** Its digits if it has no name. */
		toCategoryName: (id: bigint | string) =>
			byId.value.get(String(id)) ?? String(id),
		/** The digits of the category with this name or this id; undefined if the text is neither. */
		toCategoryId(text: string): string | undefined {
			const typed = text.trim();
			// Ignores case, like the service.
			const named = all.value?.find(
				({ name }) => name.toLowerCase() === typed.toLowerCase(),
			);
			if (named !== undefined) return String(named.id);
			return /^-?\d{1,19}$/.test(typed) ? String(BigInt(typed)) : undefined;
		},
		set: (id: string, name: string) => names.set(id, name).then(() => load()),
		remove: (id: string) => names.remove(id).then(() => load()),
	};
}
