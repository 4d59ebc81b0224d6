// The JSON Schemas of the animals in the operator interface. PetPatch repeats the members of NewPet, as Pet does.

import { int32, int64, maxPets, schemas } from "../../schemas.ts";

const { PetStatus, NewPet, Pet } = schemas;
const { name, categoryId } = NewPet.properties;

/** Entries of one batch at most. */
export const maxChanges = 1_000;

/** What both kinds of entries have. */
const entry = {
	petId: { ...int64, description: "The id of the animal.", minimum: 1 },
	version: {
		...int64,
		minimum: 1,
		description:
			"What `If-Match` is for one animal: its `version`. If the animal has another by now, nothing is done.",
	},
} as const;

export const petSchemas = {
	PetStatus,
	NewPet,
	Pet: {
		...Pet,
		required: [...Pet.required, "version"],
		properties: {
			...Pet.properties,
			version: {
				...int64,
				description:
					"Another number after each change. It is for the `version` of a change.",
			},
			addedAt: {
				type: "string",
				format: "date-time",
				description: "When it was added. Absent if that is not known.",
			},
			addedBy: {
				...int64,
				description:
					"The id of the key that has added it. Absent if that is not known.",
			},
		},
	},
	PetPatch: {
		type: "object",
		description:
			"A JSON merge patch (RFC 7396): the members that it has replace those of the animal. None of them may be null.",
		properties: {
			name,
			categoryId,
			status: { $ref: "#/components/schemas/PetStatus" },
		},
	},
	FoundPets: {
		type: "object",
		description: "Animals that were found, newest first.",
		required: ["pets", "looked"],
		properties: {
			pets: {
				type: "array",
				maxItems: maxPets,
				items: { $ref: "#/components/schemas/Pet" },
			},
			next: {
				type: "string",
				description:
					"The `cursor` for what was not looked at yet. Absent when everything was.",
			},
			looked: {
				...int32,
				description: "How many animals were looked at for this reply.",
			},
		},
	},
	PetChange: {
		description: "A change or a removal of one animal: `set` or `remove`.",
		oneOf: [
			{ $ref: "#/components/schemas/PetUpdate" },
			{ $ref: "#/components/schemas/PetRemoval" },
		],
	},
	PetUpdate: {
		type: "object",
		description: "A change of one animal.",
		required: ["petId", "set"],
		additionalProperties: false,
		properties: {
			petId: entry.petId,
			set: {
				$ref: "#/components/schemas/PetPatch",
				description: "What to change.",
			},
			version: entry.version,
		},
	},
	PetRemoval: {
		type: "object",
		description: "A removal of one animal.",
		required: ["petId", "remove"],
		additionalProperties: false,
		properties: {
			petId: entry.petId,
			remove: {
				type: "boolean",
				const: true,
				description: "Removes the animal.",
			},
			version: entry.version,
		},
	},
	PetChanges: {
		type: "object",
		description: "Changes and removals, which are done in their order.",
		required: ["changes"],
		additionalProperties: false,
		properties: {
			changes: {
				type: "array",
				minItems: 1,
				maxItems: maxChanges,
				items: { $ref: "#/components/schemas/PetChange" },
			},
		},
	},
	ChangedPets: {
		type: "object",
		description: "How many entries were done.",
		required: ["changed", "removed", "versions"],
		properties: {
			changed: { ...int32, description: "Those with `set`." },
			removed: { ...int32, description: "Those with `remove`." },
			versions: {
				type: "array",
				maxItems: maxChanges,
				items: int64,
				description:
					"For each entry the version of its animal after the batch; 0 if it was removed.",
			},
		},
	},
} as const;
