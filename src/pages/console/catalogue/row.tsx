// One animal of the list.
import { useComputed } from "@preact/signals";
import { type Pet, petStatuses } from "../api/pets.ts";
import { Choice } from "../parts/choice.tsx";
import { isVisible, toPetLabel, toShown } from "../parts/names.ts";
import type { Actions } from "./actions.ts";

export function Row({ pet, actions }: { pet: Pet; actions: Actions }) {
	const { dialog, selected, busy, setStatus, remove } = actions;
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
					onClick={() => {
						dialog.value = { kind: "edit", pet };
					}}
				>
					Edit
				</button>
				<button
					type="button"
					class="plain"
					aria-label={`Remove ${label}`}
					onClick={(event) => void remove([pet], isByKeyboard(event))}
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
