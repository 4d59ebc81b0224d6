// The selected animals: some with a check mark, or all that match the search.
import { computed, signal } from "@preact/signals";
import {
	batchLimit,
	type Done,
	type Pet,
	type PetStatus,
	type Pets,
} from "../api/pets.ts";
import { toTitles } from "../parts/format.ts";
import type { Toasts } from "../parts/toasts.tsx";
import {
	type Actions,
	toBatches,
	toConflictText,
	toOthersText,
} from "./actions.ts";
import type { PetList } from "./list.ts";

type Wanted =
	| { readonly set: { status: PetStatus } }
	| { readonly remove: true };

export function createBulk(
	pets: Pets,
	list: PetList,
	{ run, changeBatch, undo }: Actions,
	toasts: Toasts,
) {
	const selected = signal<ReadonlySet<bigint>>(new Set());
	const isAll = signal(false);
	const chosen = computed(() =>
		list.shown.value.filter(({ id }) => selected.value.has(id)),
	);
	/** How many match; undefined if only a search can tell. */
	const total = computed(() =>
		list.filter.value.name ? undefined : list.counts.value.matching,
	);
	/** Where a selection with Shift begins. */
	let anchor: bigint | undefined;

	function select(ids: Iterable<bigint>): void {
		selected.value = new Set(ids);
		isAll.value = false;
	}

	/** All matching animals. */
	async function* readAll(ending: AbortSignal): AsyncGenerator<readonly Pet[]> {
		const filter = list.filter.peek();
		let batch: Pet[] = [];
		for (let cursor: string | undefined = ""; cursor !== undefined; ) {
			const page = await pets.find(filter, cursor, ending);
			batch.push(...page.pets);
			cursor = page.next;
			if (batch.length < batchLimit && cursor !== undefined) continue;
			yield* toBatches(batch);
			batch = [];
		}
	}

	async function apply(text: string, wanted: Wanted): Promise<void> {
		const done: Done[] = [];
		let others = 0;
		const isOfAll = isAll.peek();
		const isNeeded = ({ status }: Pet) =>
			"remove" in wanted || status !== wanted.set.status;
		const settle = (conflict: Done) => {
			if (isOfAll) {
				others++;
				return [];
			}
			// Others may have changed too.
			list.search();
			throw new Error(`${toConflictText(conflict)} The list is reloaded.`);
		};
		const of = isOfAll ? total.peek()?.pets : chosen.peek().length;
		await run(text, of, async (count, ending) => {
			const batches = isOfAll ? readAll(ending) : toBatches(chosen.peek());
			for await (const batch of batches) {
				const changes = batch
					.filter(isNeeded)
					.map((shown) => ({ shown, ...wanted }));
				const changed = await changeBatch(changes, settle);
				done.push(...changed);
				count(batch.length);
			}
			select([]);
		});
		const changed = `${text}: ${toTitles(done.map(({ before }) => before))}.`;
		const sentences = [
			...(done.length > 0 ? [changed] : []),
			...(others > 0 ? [toOthersText(others)] : []),
		];
		if (sentences.length > 0)
			toasts.show(
				sentences.join(" "),
				done.length > 0 ? () => undo(done) : undefined,
				hasLostFocus(),
			);
	}

	return {
		selected,
		isAll,
		chosen,
		total,
		select,
		setStatus: (status: PetStatus) =>
			apply(`Set to ${status}`, { set: { status } }),
		remove: () => apply("Removed", { remove: true }),
		/** With Shift, adds all rows since the last one. */
		toggle(id: bigint, hasShift: boolean): void {
			const ids = list.shown.peek().map((pet) => pet.id);
			const [from, to] = [ids.indexOf(anchor ?? id), ids.indexOf(id)];
			anchor = id;
			const next = new Set(isAll.peek() ? ids : selected.peek());
			if (hasShift && from >= 0) {
				const range = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
				select(next.union(new Set(range)));
			} else select(next.symmetricDifference(new Set([id])));
		},
	};
}

/** Whether the element with the focus is gone, or goes with the selection. */
function hasLostFocus(): boolean {
	return document.activeElement?.matches("body, .selection *") ?? true;
}
