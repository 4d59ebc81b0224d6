// The table of animals, and the actions on the selected animals.
import { useComputed } from "@preact/signals";
import { type Pet, petStatuses } from "../api/pets.ts";
import { Button, Choice } from "../parts/fields.tsx";
import { isVisible, toPetLabel, toShown } from "../parts/format.ts";
import { Table, toHeading, unseen } from "../parts/table.tsx";
import type { Actions } from "./actions.ts";

interface ShownProps {
	readonly shown: readonly Pet[];
	readonly actions: Actions;
}

export function PetTable({ shown, actions }: ShownProps) {
	const { selected } = actions;
	const count = shown.filter(({ id }) => selected.value.has(id)).length;
	// Each row has its own layout, so the style needs the width of the ids. The newest id has the most digits.
	const idLength = String(shown[0]?.id ?? "").length;
	return (
		<Table
			class="pets"
			style={{ "--id-length": idLength }}
			headings={[
				<td key="all" class="select all">
					<input
						type="checkbox"
						aria-label="Select all loaded animals"
						checked={count === shown.length}
						indeterminate={count > 0 && count < shown.length}
						onChange={({ currentTarget }) => {
							selected.value = new Set(
								currentTarget.checked ? shown.map(({ id }) => id) : [],
							);
						}}
					/>
				</td>,
				toHeading("Id", "id"),
				...["Name", "Category", "Status"],
				unseen("Actions"),
			]}
		>
			{shown.map((pet) => (
				<Row key={String(pet.id)} pet={pet} actions={actions} />
			))}
		</Table>
	);
}

function Row({ pet, actions }: { pet: Pet; actions: Actions }) {
	const { open, selected, busy, setStatus, remove } = actions;
	// With useComputed, a row is rendered again only when its own value changes.
	const isSelected = useComputed(() => selected.value.has(pet.id)).value;
	const isBusy = useComputed(() => busy.value.has(pet.id)).value;
	const label = toPetLabel(pet);
	return (
		<tr class={isSelected ? "selected" : ""} aria-busy={isBusy}>
			<td class="select">
				<input
					type="checkbox"
					aria-label={`Select ${label}`}
					checked={isSelected}
					onChange={() => {
						const own = new Set([pet.id]);
						selected.value = selected.peek().symmetricDifference(own);
					}}
				/>
			</td>
			<td class="id">{String(pet.id)}</td>
			<th scope="row" class="name">
				<bdi title={pet.name}>
					{isVisible(pet.name) ? (
						toShown(pet.name)
					) : (
						<i class="soft">no name</i>
					)}
				</bdi>
			</th>
			<td class="category">
				<span class="unseen">Category </span>
				{String(pet.categoryId)}
			</td>
			<td class="status">
				<Choice
					label={`Status of ${label}`}
					values={statusChoices}
					chosen={pet.status}
					isDisabled={isBusy}
					onChoose={(status) => void setStatus([pet], status)}
				/>
			</td>
			<td class="actions">
				<Button
					class="plain"
					aria-label={`Edit ${label}`}
					onClick={() => open({ kind: "edit", pet })}
				>
					Edit
				</Button>
				<Button
					class="plain"
					aria-label={`Remove ${label}`}
					onClick={(event) => remove([pet], isByKeyboard(event))}
				>
					Remove
				</Button>
			</td>
		</tr>
	);
}

/** The browser counts clicks of a pointer only. */
function isByKeyboard({ detail }: MouseEvent): boolean {
	return detail === 0;
}

export const statusChoices = petStatuses.map((value) => ({
	value,
	text: value,
}));

/** The limit of one request. Browsers send at most 64 KiB after a page is closed, and an entry has about 90 bytes. */
export const maxSelected = 500;

export function Selection({ shown, actions }: ShownProps) {
	const { selected, setStatus, remove } = actions;
	const chosen = shown.filter(({ id }) => selected.value.has(id));
	if (chosen.length === 0) return null;
	const isTooMany = chosen.length > maxSelected;
	const shared = { class: "minor", disabled: isTooMany };
	return (
		<section class="selection" aria-label="Selected animals">
			<p role="status">
				{chosen.length} selected
				{isTooMany && `; you can change at most ${maxSelected} at once`}
			</p>
			{petStatuses.map((status) => (
				<Button
					key={status}
					{...shared}
					onClick={() => void setStatus(chosen, status)}
				>
					Set {status}
				</Button>
			))}
			<Button
				{...shared}
				onClick={(event) => remove(chosen, isByKeyboard(event))}
			>
				Remove
			</Button>
			<Button
				class="plain"
				onClick={() => {
					selected.value = new Set();
				}}
			>
				Clear
			</Button>
		</section>
	);
}
