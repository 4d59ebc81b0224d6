// The dialogs about animals: add one, and choose a version after a change by somebody else.
import type { Pet } from "../api/pets.ts";
import { Dialog, FormDialog } from "../parts/dialog.tsx";
import { toShown } from "../parts/format.ts";
import { Table, unseen } from "../parts/table.tsx";
import type { Actions } from "./actions.ts";
import { PetForm } from "./form.tsx";
import { members } from "./history.tsx";

export function PetDialogs({ actions }: { actions: Actions }) {
	const { dialog, open, add, change } = actions;
	const shown = dialog.value;
	const onClose = () => open(undefined);
	switch (shown?.kind) {
		case "add":
			return (
				<Dialog title="Add an animal" onClose={onClose}>
					<PetForm submit="Add" onSave={add} onCancel={onClose} />
				</Dialog>
			);
		case "conflict":
			return (
				<Conflict
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
