// The categories that have a name. The console shows the name instead of the id, and takes either.
import { computed, signal } from "@preact/signals";
import type { Api } from "../api/api.ts";
import { type Category, createCategoryNames } from "../api/categories.ts";
import { attempt } from "../parts/poll.tsx";

/** Names change seldom. */
export const categoriesRefreshMs = 60_000;

type OpenDialog =
	| { readonly kind: "set"; readonly category: Category | undefined }
	| { readonly kind: "remove"; readonly category: Category }
	| undefined;

export type Categories = ReturnType<typeof createCategories>;

export function createCategories(api: Api) {
	const names = createCategoryNames(api);
	const all = signal<readonly Category[] | undefined>(undefined);
	const failure = signal<string | undefined>(undefined);
	const dialog = signal<OpenDialog>(undefined);
	const byId = computed(
		() => new Map(all.value?.map(({ id, name }) => [String(id), name])),
	);
	const load = (ending?: AbortSignal) =>
		attempt(failure, ending, async () => {
			all.value = await names.list(ending);
		});
	const finish = () => {
		dialog.value = undefined;
		return load();
	};
	return {
		...{ all, failure, dialog, load },
		/** Its digits if it has no name. */
		toCategoryName: (id: bigint | string) =>
			byId.value.get(String(id)) ?? String(id),
		/** The digits of the category with this name or this id; undefined if the text is neither. */
		toCategoryId(text: string): string | undefined {
			const typed = text.trim();
			const named = all.value?.find(({ name }) => isSameName(name, typed));
			return named === undefined ? toInt64(typed) : String(named.id);
		},
		async set(id: string, name: string): Promise<void> {
			await names.set(id, name);
			await finish();
		},
		async remove(id: bigint): Promise<void> {
			await names.remove(id);
			await finish();
		},
	};
}

/** The service compares names without regard to case, too. */
function isSameName(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}

function toInt64(text: string): string | undefined {
	if (!/^-?\d{1,19}$/.test(text)) return undefined;
	const id = BigInt(text);
	return BigInt.asIntN(64, id) === id ? String(id) : undefined;
}
