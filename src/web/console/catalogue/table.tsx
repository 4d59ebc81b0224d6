// The table of animals. Only the rows on the screen are in the page's tree.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Pet, type PetStatus, petStatuses } from "../api/pets.ts";
import { Button } from "../parts/fields.tsx";
import { formatDate, formatTime, toPetLabel } from "../parts/format.ts";
import { Menu } from "../parts/menu.tsx";
import { toHeading } from "../parts/table.tsx";
import { useWindow } from "../parts/window.ts";
import type { ConsoleParts } from "../state.ts";
import { PetName } from "./content.tsx";
import { openPet } from "./drawer.tsx";

/** The next page is loaded when fewer rows than this are left below the screen. */
const rowsAhead = 30;

export function PetTable(props: ConsoleParts) {
	const { list, bulk } = props;
	const shown = list.shown.value;
	const { body, first, end, style } = useWindow(shown.length);
	const { isLoading, hasMore, isStopped } = list.progress.value;
	const isNearEnd = end + rowsAhead > shown.length;
	useEffect(() => {
		if (isNearEnd && hasMore && !isLoading && !isStopped) void list.more();
	}, [isNearEnd, hasMore, isLoading, isStopped]);
	const count = bulk.isAll.value ? shown.length : bulk.chosen.value.length;
	// Each row has its own layout, so the style needs the width of the ids.
	const ids = [shown[0]?.id, shown.at(-1)?.id];
	const idLength = Math.max(...ids.map((id) => String(id).length));
	return (
		<table
			class="pets"
			style={{ "--id-length": idLength }}
			aria-rowcount={hasMore ? -1 : shown.length + 1}
		>
			<thead>
				<tr aria-rowindex={1}>
					<td class="select">
						<label>
							<input
								type="checkbox"
								aria-label="Select all shown animals"
								checked={count === shown.length}
								indeterminate={count > 0 && count < shown.length}
								onClick={() =>
									bulk.select(count === 0 ? shown.map(({ id }) => id) : [])
								}
							/>
						</label>
					</td>
					{["Id", "Name", "Category", "Status", "Added"].map((text) =>
						toHeading(text, text.toLowerCase()),
					)}
				</tr>
			</thead>
			<tbody ref={body} style={style}>
				{shown.slice(first, end).map((pet, index) => (
					<Row
						key={String(pet.id)}
						{...props}
						pet={pet}
						index={first + index + 2}
					/>
				))}
			</tbody>
		</table>
	);
}

interface RowProps extends ConsoleParts {
	readonly pet: Pet;
	/** From 1, with the row of headings. */
	readonly index: number;
}

function Row({ pet, index, ...props }: RowProps) {
	const { place, list, bulk, actions, follower } = props;
	const isBusy = useSignal(false);
	const isSelected = bulk.isAll.value || bulk.selected.value.has(pet.id);
	const isRemoved = list.removed.value.has(pet.id);
	const classes = [
		isSelected && "selected",
		follower.marked.value.has(pet.id) && "marked",
		isRemoved && "removed",
	];
	const label = toPetLabel(pet);
	const setStatus = async (status: PetStatus) => {
		isBusy.value = true;
		await actions.setStatus(pet, status);
		isBusy.value = false;
	};
	return (
		<tr
			class={classes.filter(Boolean).join(" ")}
			aria-busy={isBusy.value}
			aria-current={place.query.value.pet === String(pet.id)}
			aria-rowindex={index}
		>
			<td class="select">
				<label>
					<input
						type="checkbox"
						aria-label={`Select ${label}`}
						checked={isSelected}
						disabled={isRemoved}
						onClick={({ shiftKey }) => bulk.toggle(pet.id, shiftKey)}
					/>
				</label>
			</td>
			<td class="id">{String(pet.id)}</td>
			<th scope="row" class="name">
				<Button
					aria-label={`Open ${label}`}
					title={pet.name}
					onClick={() => openPet(place, pet)}
				>
					<PetName name={pet.name} />
				</Button>
			</th>
			<td class="category" title={String(pet.categoryId)}>
				<bdi>{props.categories.toCategoryName(pet.categoryId)}</bdi>
			</td>
			<td class="status">
				{isRemoved ? (
					<span class="chip">removed</span>
				) : (
					<Menu
						label={`Status of ${label}`}
						values={petStatuses}
						chosen={pet.status}
						isDisabled={isBusy.value}
						onChoose={(status) => void setStatus(status)}
					/>
				)}
			</td>
			<td class="added">
				{pet.addedAt !== undefined && (
					<time title={formatTime(pet.addedAt)}>{formatDate(pet.addedAt)}</time>
				)}
			</td>
		</tr>
	);
}
