// The search of the catalogue: its fields and keys, and what it finds. The address has the filter, so that it survives a reload.
import { signal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect } from "preact/hooks";
import { toPetId } from "../../domain/pet/pet-id.ts";
import { toQuery } from "../../domain/text.ts";
import { get } from "../ui/api.ts";
import { Button, open } from "../ui/dialog.tsx";
import { FilterInput } from "../ui/field.tsx";
import { ask } from "../ui/form.tsx";
import type { Page } from "../ui/resource.tsx";
import { toCategoryOptions } from "./categories.tsx";
import { type Pet, petStatuses } from "./pet.tsx";
import { canLeave, go, place } from "./route.ts";

export const noFilter = { search: "", categoryId: "", status: "" };

export function Filters() {
	const { search = "", categoryId = "", status = "" } = place.value.query;
	useEffect(() => {
		addEventListener("keydown", handleKey);
		return () => removeEventListener("keydown", handleKey);
	}, []);
	return (
		<search class="filters">
			<FilterInput
				label="Search by name or id"
				type="search"
				class="by-name"
				aria-keyshortcuts="/"
				isLive
				value={search}
				// The first letter adds an entry to the browser's history; later letters replace it.
				onChoose={(text) => go({ search: text }, search !== "")}
				onKeyDown={(event) => {
					// Chromium would clear the field.
					if (event.key === "Escape") event.preventDefault();
					const id = event.currentTarget.value.trim();
					if (event.key === "Enter" && toPetId(id) && canLeave())
						go({ pet: id });
				}}
			/>
			<select
				aria-label="Category"
				value={categoryId}
				onChange={({ currentTarget: { value } }) => go({ categoryId: value })}
			>
				<option value="">any category</option>
				{toCategoryOptions(categoryId).map(([id, name]) => (
					<option key={id} value={id}>
						{name}
					</option>
				))}
			</select>
			<fieldset class="choice">
				<legend class="unseen">Status</legend>
				{["", ...petStatuses].map((one) => (
					<label key={one}>
						<input
							type="radio"
							name="status"
							checked={status === one}
							onChange={() => go({ status: one })}
						/>
						{one || "all"}
					</label>
				))}
			</fieldset>
			{search + categoryId + status !== "" && (
				<Button class="plain" onClick={() => go(noFilter)}>
					Clear
				</Button>
			)}
		</search>
	);
}

/** The keys of the catalogue, wherever the focus is but in a field. */
function handleKey(event: KeyboardEvent): void {
	const { target, key } = event;
	const isTyping =
		target instanceof Element &&
		target.matches("input:not([type=checkbox]), select, option, textarea") &&
		!(key === "ArrowDown" && target.matches(".by-name"));
	const isModal = open.size > 0 && !open.has("menu");
	if (isTyping || isModal) return;
	if (key === "/") document.querySelector<HTMLElement>(".by-name")?.focus();
	else if (key === "?") ask(keys);
	else if (key === "ArrowDown") moveFocus(1);
	else if (key === "ArrowUp") moveFocus(-1);
	else return;
	event.preventDefault();
}

/** From row to row. */
function moveFocus(step: number): void {
	const rows = [...document.querySelectorAll<HTMLElement>(".pets tbody tr")];
	const at = rows.findIndex((row) => row.matches(":focus-within"));
	const next = rows[at === -1 ? 0 : Math.max(at + step, 0)];
	next?.querySelector<HTMLElement>(".name button")?.focus();
}

const keys = {
	title: "Keyboard",
	submit: "Close",
	Content: () => (
		<dl class="shortcuts">
			{[
				["/", "search; Enter opens the animal with this id"],
				["↓ ↑", "from the search to the animals, and from one to the next"],
				["Enter", "open the animal"],
				["Esc", "close the animal"],
				["Ctrl+Enter", "while adding: add, and go on with the next"],
				["?", "this list"],
			].map(([key, text]) => (
				<Fragment key={key}>
					<dt>
						<kbd>{key}</kbd>
					</dt>
					<dd>{text}</dd>
				</Fragment>
			))}
		</dl>
	),
};

/** The parameters of a search. */
export type Filter = Readonly<
	Partial<Record<"name" | "status" | "categoryId", string | undefined>>
>;

/** The filter of the address. */
export function toFilter(): Filter {
	const { search, status, categoryId } = place.value.query;
	return { name: search, status, categoryId };
}

/** What the catalogue shows, whether more match, and how many in all; undefined if they cannot be counted soon. */
export const matching = signal<{
	readonly pets: readonly Pet[];
	readonly hasMore: boolean;
	readonly total: number | undefined;
}>({ pets: [], hasMore: false, total: 0 });

interface Found {
	readonly pets: readonly Pet[];
	readonly next?: string;
}

/** A page of the animals that match. */
export async function find(filter: Filter, page: Page, ending: AbortSignal) {
	const query = toQuery({ ...filter, ...page });
	const { pets, next } = await get<Found>(`/pets?${query}`, ending);
	const isWhole = next === undefined && page.cursor === undefined;
	const byId = isWhole ? await findById(filter, ending) : [];
	const others = pets.filter(({ id }) => id !== byId[0]?.id);
	return { rows: [...byId, ...others], next };
}

/** The animal whose id is searched for comes first, unless very many names have these digits. */
async function findById(
	{ name = "", ...filter }: Filter,
	ending: AbortSignal,
): Promise<readonly Pet[]> {
	if (toPetId(name) === undefined) return [];
	const query = toQuery({ ...filter, id: name });
	return (await get<Found>(`/pets?${query}`, ending)).pets;
}

export async function count(
	filter: Filter,
	ending: AbortSignal,
): Promise<number> {
	const path = `/pets/count?${toQuery(filter)}`;
	return Number((await get<{ pets: bigint }>(path, ending)).pets);
}
