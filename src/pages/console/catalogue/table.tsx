// The table of animals, with a checkbox that selects all that are loaded.

import type { Actions } from "./actions.ts";
import type { PetList } from "./list.ts";
import { Row } from "./row.tsx";

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
