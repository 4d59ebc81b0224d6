// The JSON Schemas of the animals in the operator interface.
import {
	newPetType,
	petPatchType,
	storedPetType,
} from "../../../domain/pet-types.ts";
import {
	closedObject,
	int64,
	list,
	maxPageSize,
	object,
	onlyTrue,
	ref,
	text,
	toComponents,
	whole32,
	whole64,
} from "../../schemas.ts";

export const maxChanges = 1_000;

const petId = { ...whole64("The id of the animal."), minimum: 1 };
const version = {
	...whole64(
		"The `version` that the animal must have, like `If-Match`. If it has another, nothing is done.",
	),
	minimum: 1,
};

export const petSchemas = {
	...toComponents([newPetType, storedPetType, petPatchType]),
	FoundPets: object(
		"Animals that were found.",
		{ pets: list("Pet", maxPageSize) },
		{
			next: text(
				"The `cursor` to continue the search. Absent when all animals were searched.",
			),
		},
	),
	PetCount: object(
		"A number of animals.",
		{ pets: whole64("Number of animals.") },
		{
			atLeast: onlyTrue(
				"Only present if not all animals were counted in time: the number is a minimum.",
			),
		},
	),
	PetChange: {
		description: "A change or a removal of one animal: `set` or `remove`.",
		oneOf: [ref("PetUpdate"), ref("PetRemoval")],
	},
	PetUpdate: closedObject(
		"A change of one animal.",
		{ petId, set: ref("PetPatch", "What to change.") },
		{ version },
	),
	PetRemoval: closedObject(
		"A removal of one animal.",
		{ petId, remove: onlyTrue("Removes the animal.") },
		{ version },
	),
	PetChanges: closedObject(
		"Changes and removals, which are done in their order.",
		{
			changes: { ...list("PetChange", maxChanges), minItems: 1 },
		},
	),
	ChangedPets: object("How many entries were done.", {
		changed: whole32("Entries with `set`."),
		removed: whole32("Entries with `remove`."),
		versions: {
			type: "array",
			maxItems: maxChanges,
			items: int64,
			description:
				"For each entry the version of its animal after the batch; 0 if it was removed.",
		},
	}),
};
