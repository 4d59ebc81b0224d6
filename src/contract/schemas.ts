// The JSON Schemas of the interface, by the names that the interface document gives them. Pet repeats the members of NewPet, since
// code generators and renderers understand flat objects better than `allOf`.
import { defaultPetStatus, petStatuses } from "./pet.ts";

/** A JSON Schema with the keywords that the interfaces use. */
export interface Schema {
	readonly $ref?: string;
	readonly type?: string | readonly string[];
	readonly format?: string;
	readonly description?: string;
	readonly default?: unknown;
	readonly const?: unknown;
	readonly enum?: readonly string[];
	readonly oneOf?: readonly Schema[];
	readonly pattern?: string;
	readonly minLength?: number;
	readonly maxLength?: number;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly exclusiveMaximum?: number;
	readonly items?: Schema;
	readonly minItems?: number;
	readonly maxItems?: number;
	readonly uniqueItems?: boolean;
	readonly required?: readonly string[];
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly additionalProperties?: boolean;
	readonly minProperties?: number;
	readonly maxProperties?: number;
}

/** How many animals a reply has at most. */
export const maxPets = 100;

export const int64 = { type: "integer", format: "int64" } as const;
export const int32 = { type: "integer", format: "int32" } as const;

const name = {
	type: "string",
	// \x00, since regular expressions of Go have no \u0000. Lone surrogates are not excluded, since not every dialect has a way to.
	pattern: "^[^\\x00]*$",
	description:
		"The animal's name: any text without U+0000 and lone surrogates, kept to the code point.",
} as const;

const categoryId = {
	...int64,
	description: "Id of the category the animal belongs to.",
} as const;

export const schemas = {
	PetStatus: {
		type: "string",
		enum: petStatuses,
		description: "Availability status of an animal.",
	},
	NewPet: {
		type: "object",
		description: "An animal to add.",
		required: ["name", "categoryId"],
		properties: {
			name,
			categoryId,
			status: {
				$ref: "#/components/schemas/PetStatus",
				description: `Availability status; \`${defaultPetStatus}\` when omitted.`,
			},
		},
	},
	Pet: {
		type: "object",
		description: "An animal of the catalogue.",
		required: ["id", "name", "categoryId", "status"],
		properties: {
			id: {
				...int64,
				description: "Unique identifier assigned by the service on creation.",
			},
			name,
			categoryId,
			status: {
				$ref: "#/components/schemas/PetStatus",
				description:
					"Availability status. The interface document does not require it in a reply; this service always sends it.",
			},
		},
	},
	Pets: {
		type: "array",
		description: "Animals, newest first.",
		maxItems: maxPets,
		items: { $ref: "#/components/schemas/Pet" },
	},
	Error: {
		type: "object",
		description: "Why a request was refused or failed.",
		required: ["code", "message", "status"],
		properties: {
			code: { type: "string", description: "Machine-readable error code." },
			message: { type: "string", description: "Human-readable description." },
			status: {
				...int32,
				description: "The HTTP status code of the response.",
			},
		},
	},
} as const;
