// The categories that have a name. The console shows the name instead of the id, and takes either.
import { computed, signal } from "@preact/signals";
import type { Api } from "../api/api.ts";
import { int64, list, number, object, optional, text } from "../api/values.ts";
import { attempt } from "../parts/poll.tsx";

const toCategory = object({
	id: int64,
	name: text,
	/** The number of its animals; undefined if counting takes too long. */
	pets: optional(number),
});
const toCategories = object({ categories: list(toCategory) });

export type Category = ReturnType<typeof toCategory>;

/** Names change seldom. */
export const categoriesRefreshMs = 60_000;

export type Categories = ReturnType<typeof createCategories>;

export function createCategories({ read, send }: Api) {
	const all = signal<readonly Category[] | undefined>(undefined);
	const failure = signal<string | undefined>(undefined);
	const byId = computed(
		() => new Map(all.value?.map(({ id, name }) => [String(id), name])),
	);
	const load = (ending?: AbortSignal) =>
		attempt(failure, ending, async () => {
			all.value = toCategories(await read("/categories", ending)).categories;
		});
	return {
		all,
		failure,
		load,
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
		set: (id: string, name: string) =>
			send("PUT", `/categories/${id}`, { body: { name } }).then(() => load()),
		remove: (id: string) =>
			send("DELETE", `/categories/${id}`).then(() => load()),
	};
}
