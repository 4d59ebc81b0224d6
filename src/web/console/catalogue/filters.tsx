// The search and the filters of the catalogue. The address has them, so that they survive a reload.
import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { statusChoices } from "../api/pets.ts";
import { CategoryInput } from "../categories/input.tsx";
import { Button, Choice } from "../parts/fields.tsx";
import { isolate } from "../parts/format.ts";
import type { Query } from "../route.ts";
import type { ConsoleParts } from "../state.ts";

export const noFilter = { search: "", categoryId: "", status: "" };

export function Filters({ place, categories }: ConsoleParts) {
	const { query, go } = place;
	const { search = "", categoryId = "", status = "" } = query.value;
	const ruleId = useId();
	const wrong = useSignal("");
	const searchField = useRef<HTMLInputElement>(null);
	useEffect(() => focusOnSlash(() => searchField.current), []);
	/** The first letter adds an entry to the browser's history; later letters replace it. */
	const type = (part: Query) => go(part, search + categoryId !== "");
	return (
		<search class="filters">
			<input
				ref={searchField}
				type="search"
				class="by-name"
				aria-label="Search by name or id"
				aria-keyshortcuts="/"
				placeholder="Search by name or id"
				value={search}
				onInput={({ currentTarget }) => type({ search: currentTarget.value })}
				onKeyDown={(event) => {
					// Chromium would clear the field.
					if (event.key === "Escape") event.preventDefault();
				}}
			/>
			<div class="by-category">
				<CategoryInput
					categories={categories}
					chosen={categoryId}
					onChoose={(categoryId) => type({ categoryId })}
					onWrong={(text) => {
						wrong.value = text;
					}}
					placeholder="Category"
					aria-label="Category"
					aria-invalid={wrong.value !== ""}
					aria-describedby={ruleId}
				/>
				<span class="wrong" role="alert" id={ruleId}>
					{wrong.value && `No category is named “${isolate(wrong.value)}”.`}
				</span>
			</div>
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
