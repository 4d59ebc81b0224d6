// The table of animals. Its columns follow from the record of their fields.
import { useRef } from "preact/hooks";
import { Button } from "../ui/dialog.tsx";
import { PetName, toPetLabel } from "../ui/format.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { attempt } from "../ui/toasts.tsx";
import { change } from "./changes.tsx";
import {
	type Pet,
	type PetField,
	petFields,
	petStatuses,
	Value,
} from "./pet.tsx";
import { canLeave, go, place } from "./route.ts";
import { isChosen, Select, SelectAll } from "./selection.tsx";

interface PetTableProps {
	readonly pets: readonly Pet[];
	/** Those of them that were removed. */
	readonly removed: ReadonlySet<bigint>;
}

export function PetTable({ pets, removed }: PetTableProps) {
	const toClass = ({ id }: Pet) =>
		[isChosen(id) && "selected", removed.has(id) && "removed"]
			.filter(Boolean)
			.join(" ");
	const selecting: Column<Pet> = {
		title: "Select",
		kind: "select",
		heading: <SelectAll />,
		cell: (pet) => (
			<Select
				id={pet.id}
				of={toPetLabel(pet)}
				isDisabled={removed.has(pet.id)}
			/>
		),
	};
	return (
		<Table
			class="pets"
			rows={pets}
			columns={[selecting, ...columns]}
			toKey={({ id }) => id}
			toAttributes={(pet) => ({
				class: toClass(pet),
				"aria-current": place.value.query.pet === String(pet.id),
			})}
		/>
	);
}

/** Columns that are more than their value. */
const special: { readonly [Name in keyof Pet]?: Partial<Column<Pet>> } = {
	name: {
		kind: "head",
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

const toColumn = (field: PetField): Column<Pet> => ({
	title: field.title,
	cell: (pet) => <Value pet={pet} field={field} />,
	...special[field.name],
});

/** The name first, the id last. */
const columns = [
	...petFields.filter(({ name }) => name === "name"),
	...petFields.filter(
		({ name, isListed }) => isListed && name !== "name" && name !== "id",
	),
	...petFields.filter(({ name }) => name === "id"),
].map(toColumn);

function Status({ pet }: { pet: Pet }) {
	/** What was chosen, until there is a newer animal: the change may be on its way. */
	const shown = useRef<{ pet: Pet; status: string }>({
		pet,
		status: pet.status,
	});
	if (shown.current.pet !== pet) shown.current = { pet, status: pet.status };
	return (
		<select
			class="chip"
			data-value={pet.status}
			aria-label={`Status of ${toPetLabel(pet)}`}
			value={shown.current.status}
			onChange={async ({ currentTarget: own }) => {
				shown.current.status = own.value;
				const isDone = await attempt("Could not change the status.", () =>
					change(pet, { status: own.value }),
				);
				if (isDone) return;
				own.value = pet.status;
				shown.current.status = pet.status;
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
