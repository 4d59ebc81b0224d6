// The catalogue: find, add, change and remove animals.

import { useEffect } from "preact/hooks";
import { toQuantity } from "../../domain/quantity.ts";
import { send, toQuery, toRandomName } from "../ui/api.ts";
import { Button } from "../ui/dialog.tsx";
import { type Asked, ask } from "../ui/form.tsx";
import { formatAnimals, formatCount, isolate, toTitle } from "../ui/format.tsx";
import { Failed, reload, usePages, useResource } from "../ui/resource.tsx";
import { useSignal } from "../ui/state.ts";
import { toCategoryName } from "./categories.tsx";
import { PetDrawer } from "./drawer.tsx";
import { ExportMenu } from "./export.tsx";
import { Filters, noFilter } from "./filters.tsx";
import {
	count,
	type Filter,
	find,
	matching,
	release,
	toFilter,
	useStill,
} from "./find.ts";
import { ImportDialog } from "./import.tsx";
import { fromForm, type Pet, toFormFields } from "./pet.tsx";
import { PetTable } from "./pet-table.tsx";
import { go, place } from "./route.ts";
import { select } from "./selection.tsx";

export function CatalogueView() {
	const filter = toFilter();
	const text = filter ? toQuery(filter) : "unknown";
	useEffect(() => select(), [text]);
	const { value, failure, isOld, more } = usePages(
		async (page, ending) =>
			filter ? find(filter, page, ending) : { rows: none, next: undefined },
		[text],
	);
	const counts = useCounts(filter, text);
	const { pets, removed, waiting } = useStill(value?.rows ?? none, text);
	const hasMore = value?.hasMore ?? false;
	const total = counts?.total;
	useEffect(() => {
		matching.value = { pets, hasMore, total };
	}, [pets, hasMore, total]);
	const isImporting = useSignal(false);
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Catalogue</h1>
				<Button onClick={() => ask(toAdding())}>Add an animal</Button>
			</div>
			<Filters />
			<div class="found">
				<p role="status">
					{value && counts && toFoundText({ ...counts, ...value })}
				</p>
				{waiting > 0 && <p class="new">{toQuantity(waiting, "new animal")}</p>}
				<div class="export">
					<Button
						class="link"
						onClick={() => {
							isImporting.value = true;
						}}
					>
						Import
					</Button>
					{filter && <ExportMenu filter={filter} found={pets} />}
				</div>
			</div>
			{isImporting.value && (
				<ImportDialog
					onClose={() => {
						isImporting.value = false;
					}}
				/>
			)}
			<Failed message={failure} />
			<div class="results" aria-busy={isOld}>
				{!value && !failure && <p class="waiting">Loading …</p>}
				{pets.length > 0 && <PetTable pets={pets} removed={removed} />}
				{value && pets.length === 0 && <Empty {...filter} />}
				{more}
			</div>
			<PetDrawer />
		</>
	);
}

const none: readonly Pet[] = [];

interface Counts {
	readonly all: number;
	/** Of those that match. */
	readonly total: number | undefined;
}

interface FoundPets {
	readonly rows: readonly Pet[];
	readonly hasMore: boolean;
}

/** Undefined while they are read. */
function useCounts(filter: Filter | undefined, text: string) {
	const { value, isOld } = useResource(
		async (ending): Promise<Counts> => {
			const [all, total] = await Promise.all([
				count({}, ending),
				// Counting by name takes long in a very large catalogue.
				filter ? count(filter, ending).catch(() => undefined) : 0,
			]);
			return { all, total };
		},
		[text],
		undefined,
	);
	return isOld ? undefined : value;
}

function toFoundText({
	all,
	total,
	rows,
	hasMore,
}: Counts & FoundPets): string {
	if (place.value.query.search) {
		const found = hasMore ? total : rows.length;
		return `${found === undefined ? "Very many" : formatCount(found)} found`;
	}
	const of = total === all ? "" : `${formatCount(total ?? 0)} of `;
	return of + formatAnimals(all);
}

function Empty({ name, status, categoryId }: Filter) {
	const typed = place.value.query.categoryId;
	if (!name && !status && !typed)
		return (
			<div class="empty">
				<h2>No animals yet</h2>
				<p>The catalogue is empty. Animals that you add are served at once.</p>
				<Button onClick={() => ask(toAdding())}>Add the first animal</Button>
			</div>
		);
	const isNarrowed = Boolean(name && (status || categoryId));
	const category = categoryId && isolate(toCategoryName(categoryId));
	return (
		<div class="empty">
			<h2>Nothing found</h2>
			<p>
				{typed && !categoryId
					? `No category is named “${isolate(typed)}”.`
					: `No animal ${name ? "matches this search" : "was found"}${
							category ? ` in category ${category}` : ""
						}${status ? ` with status ${status}` : ""}.`}
			</p>
			<Button
				class="minor"
				onClick={() =>
					go(isNarrowed ? { status: "", categoryId: "" } : noFilter)
				}
			>
				{isNarrowed ? "Search all animals" : "Show all animals"}
			</Button>
		</div>
	);
}

/** The last category, for the next animal. */
let lastTyped: Readonly<Record<string, string>> = {};
/** What was typed, and its Idempotency-Key: a second attempt adds nothing twice. */
const attempts = new Map<string, string>();

function toAdding(): Asked {
	return {
		title: "Add an animal",
		submit: "Add",
		next: { label: "Add and next", clears: "name" },
		fields: toFormFields(undefined, { categoryId: lastTyped.categoryId ?? "" }),
		async run(values) {
			const typed = JSON.stringify(values);
			const key = attempts.get(typed) ?? toRandomName();
			attempts.set(typed, key);
			const pet = await send<Pet>("POST", "/pets", {
				body: fromForm(values),
				headers: { "Idempotency-Key": key },
			});
			attempts.delete(typed);
			lastTyped = values;
			release();
			reload();
			return `Added ${toTitle(pet)} with the id ${pet.id}.`;
		},
	};
}
