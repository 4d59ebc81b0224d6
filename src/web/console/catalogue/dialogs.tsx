// The dialogs about animals: add one, import a file, and choose a version after a change by somebody else.
import type { Pet } from "../api/pets.ts";
import type { Categories } from "../categories/state.ts";
import { ImportDialog } from "../import/dialog.tsx";
import { Dialog, FormDialog } from "../parts/dialog.tsx";
import { Table, unseen } from "../parts/table.tsx";
import { members, Value } from "./content.tsx";
import { PetForm } from "./form.tsx";
import type { CatalogueProps } from "./view.tsx";

export function PetDialogs(props: CatalogueProps) {
	const { categories } = props;
	const { dialog, open, add, change } = props.actions;
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
			return (
				<Conflict
					categories={categories}
					current={shown.current}
					mine={{ ...shown.current, ...shown.set }}
					onUseMine={() => change(shown.current, shown.set)}
					onClose={onClose}
				/>
			);
		default:
			return null;
	}
}

interface ConflictProps {
	readonly categories: Categories;
	readonly current: Pet;
	readonly mine: Pet;
	readonly onUseMine: () => Promise<void>;
	readonly onClose: () => void;
}

function Conflict(props: ConflictProps) {
	const { categories, current, mine, onUseMine, onClose } = props;
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
								<Value value={pet[name]} categories={categories} />
							</td>
						))}
					</tr>
				))}
			</Table>
		</FormDialog>
	);
}
