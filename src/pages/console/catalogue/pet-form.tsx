// The dialog that adds an animal, or edits one.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import {
	type NewPet,
	type Pet,
	type PetStatus,
	petStatuses,
} from "../api/pets.ts";
import { useAction } from "../parts/action.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Form } from "../parts/form.tsx";

export function PetForm({
	pet,
	onSave,
	onClose,
}: {
	/** The animal to edit; undefined to add one. */
	pet?: Pet;
	/** The key is the same for each attempt to save this form, so that an animal is added once. */
	onSave: (pet: NewPet, idempotencyKey: string) => Promise<void>;
	onClose: () => void;
}) {
	const name = useSignal(pet?.name ?? "");
	const categoryId = useSignal(pet === undefined ? "" : String(pet.categoryId));
	const status = useSignal<PetStatus>(pet?.status ?? "available");
	const attempts = useRef(new Map<string, string>());
	const action = useAction();
	const save = () => {
		const fields = {
			name: name.value,
			categoryId: BigInt(categoryId.value.trim()),
			status: status.value,
		};
		return onSave(fields, toAttempt(attempts.current, fields));
	};
	return (
		<Dialog
			title={pet === undefined ? "Add an animal" : `Edit animal ${pet.id}`}
			onClose={onClose}
		>
			<Form
				action={action}
				submit={pet === undefined ? "Add" : "Save"}
				onSubmit={save}
				onCancel={onClose}
			>
				<Field label="Name">
					<input
						autocomplete="off"
						required
						value={name.value}
						onInput={({ currentTarget }) => {
							name.value = currentTarget.value;
						}}
					/>
				</Field>
				<Field label="Category" hint="The id of the category, a whole number.">
					<input
						inputMode="numeric"
						autocomplete="off"
						required
						pattern="\s*-?[0-9]{1,19}\s*"
						title="a whole number"
						value={categoryId.value}
						onInput={({ currentTarget }) => {
							categoryId.value = currentTarget.value;
						}}
					/>
				</Field>
				<Field label="Status">
					<select
						value={status.value}
						onChange={({ currentTarget }) => {
							status.value =
								petStatuses.find((one) => one === currentTarget.value) ??
								"available";
						}}
					>
						{petStatuses.map((one) => (
							<option key={one}>{one}</option>
						))}
					</select>
				</Field>
			</Form>
		</Dialog>
	);
}

/** The same Idempotency-Key for the same fields: the service refuses one that it knows with another content. */
function toAttempt(attempts: Map<string, string>, fields: NewPet): string {
	const text = `${fields.status} ${fields.categoryId} ${fields.name}`;
	const known = attempts.get(text) ?? toRandomName();
	attempts.set(text, known);
	return known;
}

/** Not randomUUID, which browsers have only over TLS and on localhost. */
function toRandomName(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
