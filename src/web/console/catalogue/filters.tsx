// The search and the filters of the catalogue, with links that download the matching animals.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Filter, toQuery } from "../api/pets.ts";
import { DownloadLink, type Downloads } from "../parts/download.tsx";
import { Button, Choice } from "../parts/fields.tsx";
import { isCategory, noFilter, type PetList } from "./list.ts";
import { statusChoices } from "./table.tsx";

/** The search starts this long after the last key press. */
const searchDelayMs = 250;

export function Filters(props: Downloads & { list: PetList }) {
	const { list } = props;
	const typed = useSignal(list.filter.value);
	const { name, categoryId, status } = typed.value;
	const set = (part: Partial<Filter>) => {
		typed.value = { ...typed.peek(), ...part };
	};
	// Another button may clear the filter.
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
				<Button class="plain" onClick={() => list.search(noFilter)}>
					Clear
				</Button>
			)}
			{list.failure.value === undefined && (
				<p class="export">
					Export
					{["csv", "ndjson"].map((format) => (
						<DownloadLink
							key={format}
							downloads={props}
							path={`/pets/export?${toQuery({ format, ...list.filter.value })}`}
							label={`Export as ${format.toUpperCase()}`}
							text={format.toUpperCase()}
						/>
					))}
				</p>
			)}
		</search>
	);
}

const statusFilters = [{ value: "", text: "all" } as const, ...statusChoices];

export function isSame(one: Filter, other: Filter): boolean {
	return toQuery({ ...one }) === toQuery({ ...other });
}
