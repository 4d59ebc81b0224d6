// The fields of an animal, and how two contents of it differ.
import type { Entry } from "../api/history.ts";
import type { NewPet } from "../api/pets.ts";
import type { Categories } from "../categories/state.ts";
import { capitalise, isVisible, toShown } from "../parts/format.ts";

export const members = [
	{ name: "name", title: "Name" },
	{ name: "categoryId", title: "Category" },
	{ name: "status", title: "Status" },
] as const;

/** The fields that differ. Only they are sent, so that a change of other fields by somebody else stays. */
export function toDifference(one: NewPet, other: NewPet): Partial<NewPet> {
	const { name, categoryId, status } = other;
	return {
		...(one.name !== name && { name }),
		...(one.categoryId !== categoryId && { categoryId }),
		...(one.status !== status && { status }),
	};
}

export function isSame(one: NewPet, other: NewPet | undefined): boolean {
	return members.every(({ name }) => one[name] === other?.[name]);
}

export function Differences(props: { entry: Entry; categories: Categories }) {
	const { petId, kind, pet, before } = props.entry;
	if (pet === undefined || before === undefined) {
		// The first version of an animal is its id.
		const isPutBack = kind === "added" && pet && pet.version !== petId;
		return <p class="kind">{isPutBack ? "Put back" : capitalise(kind)}</p>;
	}
	return (
		<dl class="differences">
			{members
				.filter(({ name }) => pet[name] !== before[name])
				.map(({ name, title }) => (
					<div key={name}>
						<dt>{title}</dt>
						<dd>
							<del>
								<Value {...props} value={before[name]} />
							</del>{" "}
							→{" "}
							<ins>
								<Value {...props} value={pet[name]} />
							</ins>
						</dd>
					</div>
				))}
		</dl>
	);
}

interface ValueProps {
	readonly value: NewPet[keyof NewPet];
	readonly categories: Categories;
}

export function Value({ value, categories }: ValueProps) {
	return typeof value === "bigint" ? (
		<bdi>{categories.toCategoryName(value)}</bdi>
	) : (
		<PetName name={value} />
	);
}

export function PetName({ name }: { name: string }) {
	return (
		<bdi>{isVisible(name) ? toShown(name) : <i class="soft">no name</i>}</bdi>
	);
}
