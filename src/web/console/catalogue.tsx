// The catalogue: find, add, change and remove animals; files of them.

import { useEffect } from "preact/hooks";
import { toPetId } from "../../domain/pet/pet-id.ts";
import { toQuery } from "../../domain/text.ts";
import { hasCode, toRandomName } from "../ui/api.ts";
import { Button, open } from "../ui/dialog.tsx";
import { type Asked, ask } from "../ui/form.tsx";
import { formatAnimals, toTitle } from "../ui/format.tsx";
import { Shown, usePages, useResource } from "../ui/resource.tsx";
import { Download } from "../ui/toasts.tsx";
import { sayDone, sendEdit } from "./changes.tsx";
import { PetDrawer } from "./drawer.tsx";
import { askForFile } from "./import.tsx";
import { fromForm, type Pet, toFormFields } from "./pet.tsx";
import { PetTable } from "./pet-table.tsx";
import { go } from "./route.ts";
import {
	count,
	type Filter,
	Filters,
	find,
	matching,
	noFilter,
	toFilter,
} from "./search.tsx";
import { select } from "./selection.tsx";

export function CatalogueView() {
	const filter = toFilter();
	const text = toQuery(filter);
	const found = usePages(
		(page, ending) => find(filter, page, ending),
		text,
		filter.name,
	);
	const { value: pets = none, hasMore, isOld } = found;
	// Counting by name takes long in a very large catalogue, so not at each letter, and only what is not shown.
	const isPart = hasMore && !isOld;
	const counted = useResource(
		async (ending) =>
			isPart ? count(filter, ending).catch(unlessUnavailable) : undefined,
		`${isPart} ${text}`,
		null,
	);
	const ofAll = counted.isOld ? undefined : counted.value;
	const total = hasMore ? ofAll : pets.length;
	useEffect(() => {
		matching.value = { pets, hasMore, total: total ?? undefined };
	}, [pets, hasMore, total]);
	useEffect(() => select(), [text]);
	return (
		<>
			<Filters />
			<div class="found">
				<p role="status">
					{found.value && total === null && "Very many animals"}
					{found.value && total != null && formatAnimals(total)}
				</p>
				<div class="export">
					<Button class="link" onClick={askForFile}>
						Import
					</Button>
					<ExportMenu filter={filter} found={pets} />
				</div>
			</div>
			<div class="results" aria-busy={isOld}>
				<Shown of={found}>
					{() => <PetTable pets={pets} empty={text ? nothing : toStart()} />}
				</Shown>
			</div>
			<PetDrawer />
		</>
	);
}

const none: readonly Pet[] = [];

/** For `catch`. */
function unlessUnavailable(error: unknown): null {
	if (hasCode(error, "unavailable")) return null;
	throw error;
}

const nothing = [
	"Nothing found",
	"No animal matches.",
	<Button key="all" class="minor" onClick={() => go(noFilter)}>
		Show all animals
	</Button>,
] as const;

const toStart = () =>
	[
		"No animals yet",
		"The catalogue is empty. Animals that you add are served at once.",
		<Button key="add" onClick={() => ask(toAdding())}>
			Add the first animal
		</Button>,
	] as const;

/** The last category, for the next animal. */
let lastTyped: Readonly<Record<string, string>> = {};
export function toAdding(): Asked {
	// What was typed in this dialog, and its Idempotency-Key: a second attempt adds nothing twice.
	const attempts = new Map<string, string>();
	return {
		title: "Add an animal",
		submit: "Add",
		next: "Add and next",
		fields: toFormFields(undefined, { categoryId: lastTyped.categoryId ?? "" }),
		async run(values) {
			const typed = JSON.stringify(values);
			const key = attempts.get(typed) ?? toRandomName();
			attempts.set(typed, key);
			const { reply: pet, edit } = await sendEdit<Pet>(
				"/pets",
				fromForm(values),
				{ "Idempotency-Key": key },
			);
			attempts.delete(typed);
			lastTyped = values;
			const text = `Added ${toTitle(pet)} with the id ${pet.id}.`;
			sayDone(text, edit);
			return text;
		},
	};
}

const files = [
	["CSV", { format: "csv" }],
	["CSV for Excel", { format: "csv", excel: true }],
	["NDJSON", { format: "ndjson" }],
] as const;

/** The menu with the files of all animals that the search shows. */
function ExportMenu(props: { filter: Filter; found: readonly Pet[] }) {
	const { name, ...others } = props.filter;
	// A search for a number also finds the animal with this id.
	const id = toPetId(name ?? "");
	const isOne = props.found.length === 1 && props.found[0]?.id === id;
	const query = { ...others, ...(isOne ? { id } : { name }) };
	useEffect(() => () => void open.delete("menu"), []);
	return (
		<>
			<Button class="link" popovertarget="export">
				Export
			</Button>
			<div
				class="choices"
				id="export"
				popover="auto"
				onToggle={({ newState }) =>
					newState === "open" ? open.add("menu") : open.delete("menu")
				}
			>
				{files.map(([title, format]) => (
					<Download
						key={title}
						path={`/pets/export?${toQuery({ ...format, ...query })}`}
					>
						{title}
					</Download>
				))}
			</div>
		</>
	);
}
