// The selected animals: those with a check mark, or all that match the search. Changes them in batches, with progress and one undo.
import { computed, signal } from "@preact/signals";
import { toMessage } from "../api/error.ts";
import {
	batchLimit,
	type Pet,
	type PetStatus,
	type Pets,
	toConflict,
} from "../api/pets.ts";
import { formatNumber } from "../parts/format.ts";
import type { Toasts } from "../parts/toasts.tsx";
import { toConflictText } from "./actions.ts";
import type { PetList } from "./list.ts";

/** Browsers send this many requests to one host at the same time. */
const restoresAtOnce = 6;

type Wanted =
	| { readonly set: { status: PetStatus } }
	| { readonly remove: true };

interface Work {
	readonly text: string;
	readonly done: number;
	readonly stop: () => void;
}

export type Bulk = ReturnType<typeof createBulk>;

export function createBulk(pets: Pets, list: PetList, toasts: Toasts) {
	const selected = signal<ReadonlySet<bigint>>(new Set());
	const isAll = signal(false);
	const work = signal<Work | undefined>(undefined);
	const chosen = computed(() =>
		list.shown.value.filter(({ id }) => selected.value.has(id)),
	);
	/** Where a selection with Shift begins. */
	let anchor: bigint | undefined;

	function select(ids: Iterable<bigint>): void {
		selected.value = new Set(ids);
		isAll.value = false;
	}

	/** Runs one thing at a time, and counts what it has done. */
	async function run(
		text: string,
		action: (
			count: (more: number) => void,
			ending: AbortSignal,
		) => Promise<void>,
	): Promise<void> {
		if (work.peek() !== undefined) return;
		const ending = new AbortController();
		const count = (more: number) => {
			const done = (work.peek()?.done ?? 0) + more;
			work.value = { text, done, stop: () => ending.abort() };
		};
		count(0);
		try {
			await action(count, ending.signal);
		} catch (error) {
			if (!ending.signal.aborted)
				toasts.fail(`${text} failed. ${toMessage(error)}`);
		}
		work.value = undefined;
		void list.count();
	}

	/** All that match the search, in batches. */
	async function* readAll(ending: AbortSignal): AsyncGenerator<readonly Pet[]> {
		let batch: Pet[] = [];
		for (let cursor: string | undefined = ""; cursor !== undefined; ) {
			const page = await pets.find(list.filter.peek(), cursor, ending);
			batch.push(...page.pets);
			cursor = page.next;
			if (batch.length < batchLimit && cursor !== undefined) continue;
			yield batch;
			batch = [];
		}
	}

	function* readChosen(): Generator<readonly Pet[]> {
		const all = chosen.peek();
		for (let at = 0; at < all.length; at += batchLimit)
			yield all.slice(at, at + batchLimit);
	}

	/** Changes one batch: all or nothing. Returns the animals as they were before. */
	async function changeBatch(
		batch: readonly Pet[],
		wanted: Wanted,
	): Promise<readonly Pet[]> {
		const changes = batch.map((shown) => ({ shown, ...wanted }));
		if (changes.length === 0) return [];
		try {
			const versions = await pets.change(changes);
			if ("remove" in wanted) list.drop(new Set(batch.map(({ id }) => id)));
			else showChanged(batch, versions, wanted.set);
			return batch;
		} catch (error) {
			const conflict = toConflict(error, changes);
			if (conflict === undefined) throw error;
			if (!isAll.peek()) {
				// Others may have changed too.
				list.search();
				throw new Error(`${toConflictText(conflict)} The list is reloaded.`);
			}
			// The user has not seen each of them, so the others are changed all the same.
			const { kind, pet } = conflict;
			return changeBatch(
				batch.flatMap((one) =>
					one.id !== pet.id ? [one] : kind === "removed" ? [] : [pet],
				),
				wanted,
			);
		}
	}

	/** Only animals that are loaded. */
	function showChanged(
		batch: readonly Pet[],
		versions: readonly bigint[],
		set: { status: PetStatus },
	): void {
		const loaded = new Set(list.shown.peek().map(({ id }) => id));
		list.put(
			batch.flatMap((pet, index) =>
				loaded.has(pet.id)
					? [{ ...pet, ...set, version: versions[index] ?? pet.version }]
					: [],
			),
		);
	}

	async function apply(text: string, wanted: Wanted): Promise<void> {
		const before: Pet[] = [];
		const isNeeded = ({ status }: Pet) =>
			"remove" in wanted || status !== wanted.set.status;
		await run(text, async (count, ending) => {
			const batches = isAll.peek() ? readAll(ending) : readChosen();
			for await (const batch of batches) {
				ending.throwIfAborted();
				before.push(...(await changeBatch(batch.filter(isNeeded), wanted)));
				count(batch.length);
			}
			select([]);
		});
		if (before.length > 0)
			toasts.show(`${text}: ${formatNumber(before.length, "animal")}.`, () =>
				undo(before),
			);
	}

	async function undo(before: readonly Pet[]): Promise<void> {
		let restored = 0;
		await run("Put back", async (count, ending) => {
			for (let at = 0; at < before.length; at += restoresAtOnce) {
				ending.throwIfAborted();
				const some = before.slice(at, at + restoresAtOnce);
				list.put(await Promise.all(some.map(pets.restore)));
				restored += some.length;
				count(some.length);
			}
		});
		toasts.show(`Put back: ${formatNumber(restored, "animal")}.`);
	}

	return {
		...{ selected, isAll, chosen, work, select },
		setStatus: (status: PetStatus) =>
			apply(`Set to ${status}`, { set: { status } }),
		remove: () => apply("Removed", { remove: true }),
		/** With Shift, also all rows since the last one. */
		toggle(id: bigint, hasShift: boolean): void {
			const ids = list.shown.peek().map((pet) => pet.id);
			const [from, to] = [ids.indexOf(anchor ?? id), ids.indexOf(id)];
			anchor = id;
			const next = new Set(selected.peek());
			if (hasShift && from >= 0) {
				const range = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
				select(next.union(new Set(range)));
			} else select(next.symmetricDifference(new Set([id])));
		},
	};
}
