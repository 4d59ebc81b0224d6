// The catalogue: find, add, change and remove animals.
import { useEffect } from "preact/hooks";
import type { Downloads } from "../parts/download.tsx";
import type { Actions } from "./actions.ts";
import { Conflict } from "./conflict.tsx";
import { Export } from "./export.tsx";
import { Filters, isSame } from "./filters.tsx";
import { Further } from "./further.tsx";
import { noFilter, type PetList } from "./list.ts";
import { PetForm } from "./pet-form.tsx";
import { Selection } from "./selection.tsx";
import { toDifference } from "./shown.ts";
import { PetTable } from "./table.tsx";

export interface CatalogueProps {
	readonly downloads: Downloads;
	readonly list: PetList;
	readonly actions: Actions;
}

export function CatalogueView({ downloads, list, actions }: CatalogueProps) {
	const { hasBegun, isLoading } = list.progress.value;
	useEffect(() => {
		if (!list.progress.peek().hasBegun) void list.more();
	}, [list]);
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Catalogue</h1>
				<button
					type="button"
					class="icon"
					aria-label="Reload"
					title="Reload"
					onClick={() => list.search(list.filter.peek())}
				>
					<svg viewBox="0 0 16 16" aria-hidden="true">
						<path d="M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3" />
					</svg>
				</button>
				<AddButton actions={actions} />
			</div>
			<Filters list={list}>
				{list.failure.value === undefined && (
					<Export downloads={downloads} filter={list.filter.value} />
				)}
			</Filters>
			<div class="results" aria-busy={isLoading && !hasBegun}>
				<Results list={list} actions={actions} />
			</div>
			<Further list={list} />
			<Selection shown={list.shown.value} actions={actions} />
			<Dialogs actions={actions} />
		</>
	);
}

function Results({ list, actions }: Omit<CatalogueProps, "downloads">) {
	const { hasBegun, hasMore } = list.progress.value;
	const isEmpty = list.shown.value.length === 0;
	if (!isEmpty) return <PetTable list={list} actions={actions} />;
	if (list.failure.value !== undefined) return null;
	if (!hasBegun) return <p class="waiting">Loading …</p>;
	if (hasMore) return null;
	if (isSame(list.filter.value, noFilter))
		return (
			<div class="empty">
				<h2>No animals yet</h2>
				<p>The catalogue is empty. Animals that you add are served at once.</p>
				<AddButton actions={actions} text="Add the first animal" />
			</div>
		);
	return (
		<div class="empty">
			<h2>Nothing found</h2>
			<p>No animal fits this search.</p>
			<button type="button" class="minor" onClick={() => list.search(noFilter)}>
				Show all animals
			</button>
		</div>
	);
}

function AddButton({
	actions: { dialog },
	text = "Add an animal",
}: {
	actions: Actions;
	text?: string;
}) {
	return (
		<button
			type="button"
			onClick={() => {
				dialog.value = { kind: "add" };
			}}
		>
			{text}
		</button>
	);
}

function Dialogs({ actions: { dialog, add, change } }: { actions: Actions }) {
	const open = dialog.value;
	const close = () => {
		dialog.value = undefined;
	};
	switch (open?.kind) {
		case "add":
			return <PetForm onSave={add} onClose={close} />;
		case "edit":
			return (
				<PetForm
					key={String(open.pet.id)}
					pet={open.pet}
					onSave={(pet) => change(open.pet, toDifference(open.pet, pet))}
					onClose={close}
				/>
			);
		case "conflict":
			return (
				<Conflict
					current={open.current}
					set={open.set}
					onUseMine={() => change(open.current, open.set)}
					onClose={close}
				/>
			);
		default:
			return null;
	}
}
