// The dialogs about animals: adding one, editing one, and a choice if somebody else has changed it meanwhile.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { type NewPet, type Pet, petStatuses } from "../api/pets.ts";
import { SelectField, TextField } from "../parts/fields.tsx";
import { FormDialog } from "../parts/form.tsx";
import { toShown } from "../parts/labels.ts";
import { Table, unseen } from "../parts/table.tsx";
import type { Actions } from "./actions.ts";
import { toDifference } from "./change-shown.ts";

export function PetDialogs({ actions }: { actions: Actions }) {
	const { dialog, open, add, change } = actions;
	const shown = dialog.value;
	const close = () => open(undefined);
	switch (shown?.kind) {
		case "add":
			return <PetForm onSave={add} onClose={close} />;
		case "edit":
			return (
				<PetForm
					key={String(shown.pet.id)}
					pet={shown.pet}
					onSave={(pet) => change(shown.pet, toDifference(shown.pet, pet))}
					onClose={close}
				/>
			);
		case "conflict":
			return (
				<Conflict
					current={shown.current}
					set={shown.set}
					onUseMine={() => change(shown.current, shown.set)}
					onClose={close}
				/>
			);
		default:
			return null;
	}
}

function PetForm({
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
	const save = () => {
		const fields = {
			name: name.value,
			categoryId: BigInt(categoryId.value.trim()),
			status: petStatuses.find((one) => one === status.value) ?? "available",
		};
		return onSave(fields, toAttempt(attempts.current, fields));
	};
	return (
		<FormDialog
			title={pet === undefined ? "Add an animal" : `Edit animal ${pet.id}`}
			submit={pet === undefined ? "Add" : "Save"}
			onSubmit={save}
			onClose={onClose}
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
		</FormDialog>
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

function Conflict({
	current,
	set,
	onUseMine,
	onClose,
}: {
	current: Pet;
	set: Partial<NewPet>;
	onUseMine: () => Promise<void>;
	onClose: () => void;
}) {
	const mine = { ...current, ...set };
	return (
		<FormDialog
			title="Changed by somebody else"
			submit="Use mine"
			onSubmit={onUseMine}
			onClose={onClose}
			cancel="Keep theirs"
		>
			<p>
				Somebody else has changed the animal {String(current.id)} while you were
				looking at it. Nothing of yours is saved yet.
			</p>
			<Table class="versions" headings={[unseen("Member"), "Theirs", "Mine"]}>
				{members.map(({ name, title }) => (
					<tr key={name} class={mine[name] === current[name] ? "" : "differs"}>
						<th scope="row">{title}</th>
						<td>
							<bdi>{toShown(String(current[name]))}</bdi>
						</td>
						<td>
							<bdi>{toShown(String(mine[name]))}</bdi>
						</td>
					</tr>
				))}
			</Table>
		</FormDialog>
	);
}

const members = [
	{ name: "name", title: "Name" },
	{ name: "categoryId", title: "Category" },
	{ name: "status", title: "Status" },
] as const;
