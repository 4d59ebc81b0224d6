// The table of animals, with a checkbox that selects all that are loaded.
import { useComputed } from "@preact/signals";
import { type Pet, petStatuses } from "../api/pets.ts";
import { Choice } from "../parts/fields.tsx";
import { isVisible, toPetLabel, toShown } from "../parts/labels.ts";
import type { Actions } from "./actions.ts";
import type { PetList } from "./list.ts";

export function PetTable({
	list,
	actions,
}: {
	list: PetList;
	actions: Actions;
}) {
	const { selected } = actions;
	const shown = list.shown.value;
	const count = shown.filter(({ id }) => selected.value.has(id)).length;
	// The rows lay themselves out one by one, so they must be told how wide the ids are. The newest has the most digits.
	const idLength = String(shown[0]?.id ?? "").length;
	return (
		<table class="pets" style={{ "--id-length": idLength }}>
			<thead>
				<tr>
					<td class="select all">
						<input
							type="checkbox"
							aria-label="Select all that are loaded"
							checked={count === shown.length}
							indeterminate={count > 0 && count < shown.length}
							onChange={({ currentTarget }) => {
								selected.value = new Set(
									currentTarget.checked ? shown.map(({ id }) => id) : [],
								);
							}}
						/>
					</td>
					<th scope="col" class="id">
						Id
					</th>
					<th scope="col">Name</th>
					<th scope="col">Category</th>
					<th scope="col">Status</th>
					<th scope="col">
						<span class="unseen">Actions</span>
					</th>
				</tr>
			</thead>
			<tbody>
				{shown.map((pet) => (
					<Row key={String(pet.id)} pet={pet} actions={actions} />
				))}
			</tbody>
		</table>
	);
}

function Row({ pet, actions }: { pet: Pet; actions: Actions }) {
	const { open, selected, busy, setStatus, remove } = actions;
	// A row is rendered again only when its own value changes, and not with every other row's.
	const isSelected = useComputed(() => selected.value.has(pet.id)).value;
	const label = toPetLabel(pet);
	const isBusy = useComputed(() => busy.value.has(pet.id)).value;
	return (
		<tr class={isSelected ? "selected" : ""} aria-busy={isBusy}>
			<td class="select">
				<input
					type="checkbox"
					aria-label={`Select ${label}`}
					checked={isSelected}
					onChange={({ currentTarget }) => {
						const others = [...selected.peek()].filter((id) => id !== pet.id);
						selected.value = new Set(
							currentTarget.checked ? [...others, pet.id] : others,
						);
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
					onChoose={(status) => void setStatus(pet, status)}
				/>
			</td>
			<td class="actions">
				<button
					type="button"
					class="plain"
					aria-label={`Edit ${label}`}
					onClick={() => open({ kind: "edit", pet })}
				>
					Edit
				</button>
				<button
					type="button"
					class="plain"
					aria-label={`Remove ${label}`}
					onClick={(event) => remove([pet], isByKeyboard(event))}
				>
					Remove
				</button>
			</td>
		</tr>
	);
}

/** A click of the keyboard has no count. */
export function isByKeyboard({ detail }: MouseEvent): boolean {
	return detail === 0;
}

const statusChoices = petStatuses.map((value) => ({ value, text: value }));
