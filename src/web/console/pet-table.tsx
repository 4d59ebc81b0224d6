// The table of animals. Its columns follow from the record of their fields.
import { signal, useSignal } from "@preact/signals";
import { Button } from "../ui/dialog.tsx";
import { PetName, toPetLabel } from "../ui/format.tsx";
import { type Column, Table, type TableProps } from "../ui/table.tsx";
import { attempt } from "../ui/toasts.tsx";
import { change } from "./changes.tsx";
import { type Pet, petFields, petStatuses, Value } from "./pet.tsx";
import { canLeave, go, place } from "./route.ts";
import { isChosen, Select, SelectAll } from "./selection.tsx";

interface PetTableProps extends Pick<TableProps<Pet>, "empty"> {
	readonly pets: readonly Pet[];
}

/** Until when a mouse aims at a row: not if it rests for longer. */
export const aimedUntil = signal(0);
const aimingMs = 4_000;

function aim({ type, pointerType, timeStamp }: PointerEvent): void {
	const isAiming = type === "pointermove" && pointerType !== "touch";
	aimedUntil.value = isAiming ? timeStamp + aimingMs : 0;
}

export function PetTable({ pets, ...table }: PetTableProps) {
	return (
		<Table
			{...table}
			class="pets"
			rows={pets}
			columns={columns}
			toKey={({ id }) => id}
			toAttributes={({ id }) => ({
				class: isChosen(id) ? "selected" : "",
				"aria-current": place.value.query.pet === String(id),
				onPointerMove: aim,
				onPointerLeave: aim,
			})}
		/>
	);
}

/** Columns that are more than their value. */
const special: { readonly [Name in keyof Pet]?: Partial<Column<Pet>> } = {
	name: {
		kind: "name",
		cell: (pet) => (
			<Button
				aria-label={`Open ${toPetLabel(pet)}`}
				title={pet.name}
				onClick={() => canLeave() && go({ pet: String(pet.id) })}
			>
				<PetName name={pet.name} />
			</Button>
		),
	},
	id: { kind: "number" },
	status: { kind: "aside", cell: (pet) => <Status pet={pet} /> },
};

/** The name first, the id last. */
const toRank = (name: string) =>
	Number(name === "id") - Number(name === "name");
const listed = petFields
	.filter(({ isListed }) => isListed)
	.toSorted((one, other) => toRank(one.name) - toRank(other.name));

const columns: readonly Column<Pet>[] = [
	{
		title: "Select",
		kind: "select",
		heading: SelectAll,
		cell: (pet) => <Select id={pet.id} of={toPetLabel(pet)} />,
	},
	...listed.map((field) => ({
		title: field.title,
		cell: (pet: Pet) => <Value pet={pet} field={field} />,
		...special[field.name],
	})),
];

/** Shows what was chosen until there is a newer version. */
function Status({ pet }: { pet: Pet }) {
	const chosen = useSignal<{ version: bigint; status: string }>(pet);
	const { version, status } = chosen.value;
	return (
		<select
			class="chip"
			value={version === pet.version ? status : pet.status}
			data-value={pet.status}
			aria-label={`Status of ${toPetLabel(pet)}`}
			onChange={async ({ currentTarget: { value: status } }) => {
				chosen.value = { version: pet.version, status };
				const isDone = await attempt("Could not change the status.", () =>
					change(pet, { status }),
				);
				if (!isDone) chosen.value = pet;
			}}
		>
			{petStatuses.map((one) => (
				<option key={one} value={one} data-value={one}>
					{one}
				</option>
			))}
		</select>
	);
}
