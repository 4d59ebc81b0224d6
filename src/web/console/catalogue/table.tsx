// The table of animals. Only the rows on the screen are in the page's tree.
import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Pet, statusChoices } from "../api/pets.ts";
import type { Downloads } from "../parts/download.tsx";
import { Button } from "../parts/fields.tsx";
import {
	formatDate,
	formatTime,
	isVisible,
	toPetLabel,
	toShown,
} from "../parts/format.ts";
import { Menu } from "../parts/menu.tsx";
import { toHeading } from "../parts/table.tsx";
import { useWindow } from "../parts/window.ts";
import type { Bulk } from "./bulk.ts";
import { type DrawerProps, openPet } from "./drawer.tsx";
import type { Follower } from "./follow.ts";
import type { PetList } from "./list.ts";

export interface CatalogueProps extends Downloads, DrawerProps {
	readonly list: PetList;
	readonly bulk: Bulk;
	readonly follower: Follower;
}

/** The next page is loaded when fewer rows than this are left below the screen. */
const rowsAhead = 30;

export function PetTable(props: CatalogueProps) {
	const { list, bulk } = props;
	const shown = list.shown.value;
	const { body, first, end, style } = useWindow(shown.length);
	const { isLoading, hasMore, isStopped } = list.progress.value;
	const isNearEnd = end + rowsAhead > shown.length;
	useEffect(() => {
		if (isNearEnd && hasMore && !isLoading && !isStopped) void list.more();
	}, [isNearEnd, hasMore, isLoading, isStopped]);
	const count = bulk.chosen.value.length;
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
						<input
							type="checkbox"
							aria-label="Select all loaded animals"
							checked={count === shown.length}
							indeterminate={count > 0 && count < shown.length}
							onClick={() =>
								bulk.select(count === 0 ? shown.map(({ id }) => id) : [])
							}
						/>
					</td>
					{toHeading("Id", "id")}
					{["Name", "Category", "Status", "Added"].map((text) =>
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

function Row({ pet, index, ...props }: CatalogueProps & RowProps) {
	const { list, bulk, actions, follower } = props;
	// With useComputed, a row is rendered again only when its own value changes.
	const isSelected = useComputed(
		() => bulk.isAll.value || bulk.selected.value.has(pet.id),
	).value;
	const isBusy = useComputed(() => actions.busy.value.has(pet.id)).value;
	const isMarked = useComputed(() => follower.marked.value.has(pet.id)).value;
	const isRemoved = useComputed(() => list.removed.value.has(pet.id)).value;
	const isOpen = useComputed(
		() => props.place.query.value.pet === String(pet.id),
	).value;
	const label = toPetLabel(pet);
	const states = Object.entries({
		...{ selected: isSelected, marked: isMarked, removed: isRemoved },
	});
	return (
		<tr
			class={states.flatMap(([name, is]) => (is ? [name] : [])).join(" ")}
			aria-busy={isBusy}
			aria-current={isOpen}
			aria-rowindex={index}
		>
			<td class="select">
				<input
					type="checkbox"
					aria-label={`Select ${label}`}
					checked={isSelected}
					disabled={isRemoved}
					onClick={({ shiftKey }) => bulk.toggle(pet.id, shiftKey)}
				/>
			</td>
			<td class="id">{String(pet.id)}</td>
			<th scope="row" class="name">
				<Button
					aria-label={`Open ${label}`}
					title={pet.name}
					onClick={() => openPet(props.place, pet)}
				>
					<bdi>
						{isVisible(pet.name) ? (
							toShown(pet.name)
						) : (
							<i class="soft">no name</i>
						)}
					</bdi>
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
						values={statusChoices}
						chosen={pet.status}
						isDisabled={isBusy}
						onChoose={(status) => void actions.setStatus(pet, status)}
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

interface RowProps {
	readonly pet: Pet;
	/** From 1, with the row of headings. */
	readonly index: number;
}
