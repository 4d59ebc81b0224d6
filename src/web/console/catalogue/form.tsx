// The fields of an animal.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import {
	type NewPet,
	type Pet,
	petStatuses,
	statusChoices,
} from "../api/pets.ts";
import { toRandomName } from "../api/values.ts";
import { CategoryField } from "../categories/input.tsx";
import type { Categories } from "../categories/state.ts";
import { Form } from "../parts/dialog.tsx";
import { Field } from "../parts/fields.tsx";

interface PetFormProps {
	readonly categories: Categories;
	/** The animal to edit; undefined to add one. */
	readonly pet?: Pet;
	readonly submit: string;
	/** Attempts with the same fields share a key, so that the animal is added once. `base` is the animal before the edit. */
	readonly onSave: (
		typed: NewPet,
		idempotencyKey: string,
		base: Pet | undefined,
	) => Promise<void>;
	readonly onCancel: () => void;
	readonly other?: ComponentChildren;
}

export function PetForm({ pet, categories, onSave, ...props }: PetFormProps) {
	const base = useRef(pet);
	const name = useSignal(pet?.name ?? "");
	const categoryId = useSignal(pet === undefined ? "" : String(pet.categoryId));
	const status = useSignal<string>(pet?.status ?? "available");
	const typed = [name.value, categoryId.value, status.value];
	const idempotencyKey = useMemo(toRandomName, typed);
	useEffect(() => {
		const before = base.current;
		if (pet === undefined || before === undefined) return;
		// The animal has changed. Input stays, and is compared when it is saved.
		if (`${typed}` !== `${[before.name, before.categoryId, before.status]}`)
			return;
		base.current = pet;
		name.value = pet.name;
		categoryId.value = String(pet.categoryId);
		status.value = pet.status;
	}, [pet?.version]);
	return (
		<Form
			{...props}
			onSubmit={() => {
				const fields = {
					name: name.value,
					categoryId: BigInt(categoryId.value),
					status:
						petStatuses.find((one) => one === status.value) ?? "available",
				};
				return onSave(fields, idempotencyKey, base.current);
			}}
		>
			{/* The interface allows an empty name. The console does not add one, but it can edit the animal. */}
			<Field label="Name" value={name} mayBeEmpty={pet?.name === ""} />
			<CategoryField categories={categories} value={categoryId} />
			<Field label="Status" value={status} options={statusChoices} />
		</Form>
	);
}
