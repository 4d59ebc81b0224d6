// The search, the filters and the order of the catalogue. The address has them, so that they survive a reload.
import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { statusChoices } from "../api/pets.ts";
import { CategoryInput, categoryRule } from "../categories/input.tsx";
import type { Categories } from "../categories/state.ts";
import { Button, Choice } from "../parts/fields.tsx";
import type { Place } from "../route.ts";

/** The search starts this long after the last key press. */
const searchDelayMs = 250;

export const noFilter = { search: "", categoryId: "", status: "", order: "" };

interface FilterProps {
	readonly place: Place;
	readonly categories: Categories;
}

export function Filters({ place, categories }: FilterProps) {
	const { query, go } = place;
	const { search = "", categoryId = "", status = "", order = "" } = query.value;
	const typed = useSignal({ search, categoryId });
	const ruleId = useId();
	const searchField = useRef<HTMLInputElement>(null);
	// The back button or another button may change them.
	useEffect(() => {
		typed.value = { search, categoryId };
	}, [search, categoryId]);
	useEffect(() => {
		const wanted = typed.value;
		if (wanted.search === search && wanted.categoryId === categoryId) return;
		// Each further letter replaces the entry of the history that the first one made.
		const timer = setTimeout(
			() => go(wanted, search + categoryId !== ""),
			searchDelayMs,
		);
		return () => clearTimeout(timer);
	}, [typed.value]);
	useEffect(() => focusOnSlash(() => searchField.current), []);
	const type = (part: Partial<typeof typed.value>) => {
		typed.value = { ...typed.peek(), ...part };
	};
	return (
		<search class="filters">
			<input
				ref={searchField}
				type="search"
				class="by-name"
				aria-label="Search by name or id"
				aria-keyshortcuts="/"
				placeholder="Search by name or id"
				value={typed.value.search}
				onInput={({ currentTarget }) => type({ search: currentTarget.value })}
				onKeyDown={(event) => {
					// Chromium would clear the field.
					if (event.key === "Escape") event.preventDefault();
				}}
			/>
			<CategoryInput
				categories={categories}
				value={typed.value.categoryId}
				onChoose={(categoryId) => type({ categoryId })}
				attributes={{
					...{ class: "by-category", placeholder: "Category" },
					...{ "aria-label": "Category", "aria-describedby": ruleId },
				}}
			/>
			{/* The style shows it if the field is wrong. */}
			<span class="wrong" id={ruleId}>
				{categoryRule}
			</span>
			<select
				class="order"
				aria-label="Order"
				value={order}
				onInput={({ currentTarget }) => go({ order: currentTarget.value })}
			>
				<option value="">Newest first</option>
				<option value="oldest">Oldest first</option>
			</select>
			<Choice
				label="Status"
				values={statusFilters}
				chosen={status}
				onChoose={(status) => go({ status })}
			/>
			{search + categoryId + status !== "" && (
				<Button class="plain" onClick={() => go(noFilter)}>
					Clear
				</Button>
			)}
		</search>
	);
}

const statusFilters = [{ value: "", text: "all" }, ...statusChoices];

function focusOnSlash(toField: () => HTMLElement | null): () => void {
	const focus = (event: KeyboardEvent) => {
		const isTyping =
			event.target instanceof Element &&
			event.target.matches("input:not([type=checkbox]), select, textarea");
		if (event.key !== "/" || isTyping) return;
		if (document.querySelector("dialog:modal") !== null) return;
		event.preventDefault();
		toField()?.focus();
	};
	addEventListener("keydown", focus);
	return () => removeEventListener("keydown", focus);
}
