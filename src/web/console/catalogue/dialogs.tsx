// The dialogs about animals: add one, import a file, and choose a version after a change by somebody else.
import type { NewPet, Pet } from "../api/pets.ts";
import { ImportDialog } from "../import/dialog.tsx";
import { Dialog, FormDialog } from "../parts/dialog.tsx";
import { Table, unseen } from "../parts/table.tsx";
import type { ConsoleParts } from "../state.ts";
import { members, Value } from "./content.tsx";
import { PetForm } from "./form.tsx";

export function PetDialogs(props: ConsoleParts) {
	const { categories } = props;
	const { dialog, open, add } = props.actions;
	const shown = dialog.value;
	const onClose = () => open(undefined);
	switch (shown?.kind) {
		case "add":
			return (
				<Dialog title="Add an animal" onClose={onClose}>
					<PetForm
						categories={categories}
						submit="Add"
						onSave={add}
						onCancel={onClose}
					/>
				</Dialog>
			);
		case "import":
			return <ImportDialog {...props} onClose={onClose} />;
		case "conflict":
			return <Conflict {...props} {...shown} onClose={onClose} />;
		default:
			return null;
	}
}

interface ConflictProps extends ConsoleParts {
	readonly current: Pet;
	readonly set: Partial<NewPet>;
	readonly onClose: () => void;
}

function Conflict(props: ConflictProps) {
	const { actions, categories, current, set, onClose } = props;
	const mine = { ...current, ...set };
	return (
		<FormDialog
			title="Changed by somebody else"
			submit="Use mine"
			onSubmit={() => actions.change(current, set)}
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
								<Value value={pet[name]} categories={categories} />
							</td>
						))}
					</tr>
				))}
			</Table>
		</FormDialog>
	);
}
