// Shows that somebody else has changed an animal meanwhile: both versions, and a choice between them.
import type { NewPet, Pet } from "../api/pets.ts";
import { useAction } from "../parts/action.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Form } from "../parts/form.tsx";
import { toShown } from "../parts/names.ts";

export function Conflict({
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
	const action = useAction();
	const mine = { ...current, ...set };
	return (
		<Dialog title="Changed by somebody else" onClose={onClose}>
			<Form
				action={action}
				submit="Use mine"
				onSubmit={onUseMine}
				onCancel={onClose}
				cancel="Keep theirs"
			>
				<p>
					Somebody else has changed the animal {String(current.id)} while you
					were looking at it. Nothing of yours is saved yet.
				</p>
				<table class="versions">
					<thead>
						<tr>
							<th scope="col">
								<span class="unseen">Member</span>
							</th>
							<th scope="col">Theirs</th>
							<th scope="col">Mine</th>
						</tr>
					</thead>
					<tbody>
						{members.map(({ name, title }) => (
							<tr
								key={name}
								class={mine[name] === current[name] ? "" : "differs"}
							>
								<th scope="row">{title}</th>
								<td>
									<bdi>{toShown(String(current[name]))}</bdi>
								</td>
								<td>
									<bdi>{toShown(String(mine[name]))}</bdi>
								</td>
							</tr>
						))}
					</tbody>
				</table>
			</Form>
		</Dialog>
	);
}

const members = [
	{ name: "name", title: "Name" },
	{ name: "categoryId", title: "Category" },
	{ name: "status", title: "Status" },
] as const;
