// The dialog that adds an animal, or edits one.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { type NewPet, type Pet, petStatuses } from "../api/pets.ts";
import { useAction } from "../parts/action.ts";
import { Dialog } from "../parts/dialog.tsx";
import { SelectField, TextField } from "../parts/fields.tsx";
import { Form } from "../parts/form.tsx";

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
	const status = useSignal<string>(pet?.status ?? "available");
	const attempts = useRef(new Map<string, string>());
	const action = useAction();
	const save = () => {
		const fields = {
			name: name.value,
			categoryId: BigInt(categoryId.value.trim()),
			status: petStatuses.find((one) => one === status.value) ?? "available",
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
				{/* The interface allows a name without a character. Nobody adds one here, but such an animal can be edited. */}
				<TextField label="Name" value={name} mayBeEmpty={pet?.name === ""} />
				<TextField
					label="Category"
					hint="The id of the category, a whole number."
					kind="int64"
					value={categoryId}
				/>
				<SelectField label="Status" value={status} options={statuses} />
			</Form>
		</Dialog>
	);
}

const statuses = petStatuses.map((value) => ({ value, text: value }));

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
