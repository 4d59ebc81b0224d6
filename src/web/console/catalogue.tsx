// The catalogue: find, add, change and remove animals.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { toQuantity } from "../../domain/quantity.ts";
import { get, send, toQuery, toRandomName } from "../ui/api.ts";
import { Button } from "../ui/dialog.tsx";
import { type Asked, ask } from "../ui/form.tsx";
import { formatCount, isolate, toTitle } from "../ui/format.tsx";
import { Failed, reload, useResource } from "../ui/resource.tsx";
import { toCategoryName } from "./categories.tsx";
import { PetDrawer } from "./drawer.tsx";
import { ExportMenu } from "./export.tsx";
import { Filters, noFilter } from "./filters.tsx";
import {
	type Filter,
	find,
	pageSize,
	progress,
	release,
	toFilter,
	total,
	useStill,
} from "./find.ts";
import { ImportDialog } from "./import.tsx";
import { fromForm, type Pet, toFormFields } from "./pet.tsx";
import { PetTable } from "./pet-table.tsx";
import { go } from "./route.ts";
import { matching, select } from "./selection.tsx";

export function CatalogueView() {
	const filter = toFilter();
	const text = toQuery(filter);
	const count = useSignal(pageSize);
	useEffect(() => {
		count.value = pageSize;
		select([]);
	}, [text]);
	const { value, failure, isOld } = useResource(
		(ending) => find(filter, count.value, ending),
		[text, count.value],
		undefined,
	);
	const { pets, removed, waiting } = useStill(value?.pets ?? none, text);
	const hasMore = value?.hasMore ?? false;
	useEffect(() => {
		matching.value = { pets, hasMore };
	}, [pets, hasMore]);
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Catalogue</h1>
				<Button onClick={() => ask(toAdding())}>Add an animal</Button>
			</div>
			<Filters />
			<Above filter={filter} found={value && pets}>
				{waiting > 0 && <p class="new">{toQuantity(waiting, "new animal")}</p>}
			</Above>
			<Failed message={failure} />
			<div class="results" aria-busy={isOld}>
				{!value && !failure && <p class="waiting">Loading …</p>}
				{pets.length > 0 && <PetTable pets={pets} removed={removed} />}
				{value && pets.length === 0 && <Empty {...filter} />}
				{hasMore && (
					<p class="further">
						<Button
							class="minor"
							onClick={() => {
								count.value += pageSize;
							}}
						>
							Show more
						</Button>
					</p>
				)}
			</div>
			<PetDrawer />
		</>
	);
}

const none: readonly Pet[] = [];

interface AboveProps {
	readonly filter: Filter;
	readonly found: readonly Pet[] | undefined;
	readonly children: ComponentChildren;
}

/** How many animals match, import and export. */
function Above({ filter, found, children }: AboveProps) {
	const isImporting = useSignal(false);
	const { name, status, categoryId, unknown } = filter;
	const counts = useResource(
		async (ending) => {
			const count = async (query: object) => {
				const path = `/pets/count?${toQuery({ ...query })}`;
				const { pets } = await get<Count>(path, ending);
				return { pets, text: formatCount(pets) };
			};
			const [all, own] = await Promise.all([
				count({}),
				count({ status, categoryId }),
			]);
			total.value = own.text;
			const sum = `${all.text} ${all.pets === 1n ? "animal" : "animals"}`;
			return status || categoryId ? `${own.text} of ${sum}` : sum;
		},
		[status, categoryId],
		undefined,
	);
	const isSearch = Boolean(name || unknown);
	return (
		<>
			<div class="found">
				<p role={isSearch ? "status" : undefined}>
					{progress.value || (isSearch ? toQuantityFound(found) : counts.value)}
				</p>
				{children}
				<div class="export">
					<Button
						class="link"
						onClick={() => {
							isImporting.value = true;
						}}
					>
						Import
					</Button>
					<ExportMenu filter={filter} found={found ?? none} />
				</div>
			</div>
			{isImporting.value && (
				<ImportDialog
					onClose={() => {
						isImporting.value = false;
					}}
				/>
			)}
		</>
	);
}

interface Count {
	readonly pets: bigint;
}

function toQuantityFound(found: readonly Pet[] | undefined): string {
	return found === undefined ? "" : `${formatCount(found.length)} found`;
}

function Empty({ name, status, categoryId, unknown }: Filter) {
	if (!name && !status && !categoryId && !unknown)
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
				{unknown
					? `No category is named “${isolate(unknown)}”.`
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
