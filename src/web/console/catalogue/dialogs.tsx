// The dialogs about animals: add, edit, and choose a version after a change by somebody else.
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { type NewPet, type Pet, petStatuses } from "../api/pets.ts";
import { FormDialog } from "../parts/dialog.tsx";
import { Field } from "../parts/fields.tsx";
import { toShown } from "../parts/format.ts";
import { Table, unseen } from "../parts/table.tsx";
import { type Actions, toDifference } from "./actions.ts";
import { statusChoices } from "./table.tsx";

export function PetDialogs({ actions }: { actions: Actions }) {
	const { dialog, open, add, change } = actions;
	const shown = dialog.value;
	const onClose = () => open(undefined);
	switch (shown?.kind) {
		case "add":
			return <PetForm onSave={add} onClose={onClose} />;
		case "edit":
			return (
				<PetForm
					key={String(shown.pet.id)}
					pet={shown.pet}
					onSave={(pet) => change([shown.pet], toDifference(shown.pet, pet))}
					onClose={onClose}
				/>
			);
		case "conflict":
			return (
				<Conflict
					current={shown.current}
					mine={{ ...shown.current, ...shown.set }}
					onUseMine={() => change([shown.current], shown.set)}
					onClose={onClose}
				/>
			);
		default:
			return null;
	}
}

interface PetFormProps {
	/** The animal to edit; undefined to add one. */
	readonly pet?: Pet;
	/** Attempts with the same fields have the same key, so that the animal is added once. */
	readonly onSave: (pet: NewPet, idempotencyKey: string) => Promise<void>;
	readonly onClose: () => void;
}

function PetForm({ pet, onSave, onClose }: PetFormProps) {
	const name = useSignal(pet?.name ?? "");
	const categoryId = useSignal(pet === undefined ? "" : String(pet.categoryId));
	const status = useSignal<string>(pet?.status ?? "available");
	const typed = [name.value, categoryId.value, status.value];
	const idempotencyKey = useMemo(toRandomName, typed);
	return (
		<FormDialog
			title={pet === undefined ? "Add an animal" : `Edit animal ${pet.id}`}
			submit={pet === undefined ? "Add" : "Save"}
			onSubmit={() => {
				const fields = {
					name: name.value,
					categoryId: BigInt(categoryId.value.trim()),
					status:
						petStatuses.find((one) => one === status.value) ?? "available",
				};
				return onSave(fields, idempotencyKey);
			}}
			onClose={onClose}
		>
			{/* The interface allows an empty name. The console does not add one, but it can edit the animal. */}
			<Field label="Name" value={name} mayBeEmpty={pet?.name === ""} />
			<Field
				label="Category"
				hint="The id of the category, a whole number."
				kind="int64"
				value={categoryId}
			/>
			<Field label="Status" value={status} options={statusChoices} />
		</FormDialog>
	);
}

/** Not randomUUID, which browsers have only over TLS and on localhost. */
function toRandomName(): string {
	return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

interface ConflictProps {
	readonly current: Pet;
	readonly mine: Pet;
	readonly onUseMine: () => Promise<void>;
	readonly onClose: () => void;
}

function Conflict({ current, mine, onUseMine, onClose }: ConflictProps) {
	return (
		<FormDialog
			title="Changed by somebody else"
			submit="Use mine"
			onSubmit={onUseMine}
			onClose={onClose}
			cancel="Keep theirs"
		>
			<p>
				Somebody else changed animal {String(current.id)} while you were looking
				at it. Your change is not saved yet.
			</p>
			<Table class="versions" headings={[unseen("Field"), "Theirs", "Mine"]}>
				{members.map(({ name, title }) => (
					<tr key={name} class={mine[name] === current[name] ? "" : "differs"}>
						<th scope="row">{title}</th>
						{[current, mine].map((pet, index) => (
							<td key={String(index)}>
								<bdi>{toShown(String(pet[name]))}</bdi>
							</td>
						))}
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
