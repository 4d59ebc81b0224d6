// The search and the filters of the catalogue.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { searchDelayMs } from "../../../limits.ts";
import { type Filter, petStatuses, toQuery } from "../api/pets.ts";
import { Choice } from "../parts/choice.tsx";
import { isCategory, noFilter, type PetList } from "./list.ts";

export function Filters({
	list,
	children,
}: {
	list: PetList;
	children: ComponentChildren;
}) {
	const typed = useSignal(list.filter.value);
	const { name, categoryId, status } = typed.value;
	const set = (part: Partial<Filter>) => {
		typed.value = { ...typed.peek(), ...part };
	};
	// A filter that was cleared elsewhere.
	useEffect(() => {
		typed.value = list.filter.value;
	}, [list.filter.value]);
	useEffect(() => {
		if (isSame(typed.value, list.filter.peek())) return;
		const timer = setTimeout(list.search, searchDelayMs, typed.value);
		return () => clearTimeout(timer);
	}, [typed.value]);
	return (
		<search class="filters">
			<input
				type="search"
				class="by-name"
				aria-label="Search by name"
				placeholder="Search by name"
				value={name}
				onInput={({ currentTarget }) => set({ name: currentTarget.value })}
			/>
			<input
				class="by-category"
				inputMode="numeric"
				aria-label="Category"
				placeholder="Category"
				aria-invalid={!isCategory(categoryId)}
				value={categoryId}
				onInput={({ currentTarget }) =>
					set({ categoryId: currentTarget.value.trim() })
				}
			/>
			<Choice
				label="Status"
				values={statusFilters}
				chosen={status}
				onChoose={(status) => set({ status })}
			/>
			{!isSame(typed.value, noFilter) && (
				<button
					type="button"
					class="plain"
					onClick={() => list.search(noFilter)}
				>
					Clear
				</button>
			)}
			{children}
		</search>
	);
}

const statusFilters = [
	{ value: "", text: "all" } as const,
	...petStatuses.map((value) => ({ value, text: value })),
];

export function isSame(one: Filter, other: Filter): boolean {
	return toQuery({ ...one }) === toQuery({ ...other });
}
