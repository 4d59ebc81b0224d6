// The JSON Schemas of the interface, by the names that the interface document gives them.
import { defaultPetStatus, petStatuses } from "./pet.ts";

export const int64 = { type: "integer", format: "int64" };

export const schemas = {
	PetStatus: {
		type: "string",
		enum: petStatuses,
		description: "Availability status of an animal.",
	},
	NewPet: {
		type: "object",
		required: ["name", "categoryId"],
		properties: {
			name: {
				type: "string",
				description:
					"The animal's name: any text without U+0000 and lone surrogates, kept to the code point.",
			},
			categoryId: {
				...int64,
				description: "Id of the category the animal belongs to.",
			},
			status: {
				allOf: [{ $ref: "#/components/schemas/PetStatus" }],
				description: `Availability status; \`${defaultPetStatus}\` when omitted.`,
			},
		},
	},
	Pet: {
		allOf: [
			{ $ref: "#/components/schemas/NewPet" },
			{
				type: "object",
				required: ["id"],
				properties: {
					id: {
						...int64,
						description:
							"Unique identifier assigned by the service on creation.",
					},
				},
			},
		],
	},
	Pets: { type: "array", items: { $ref: "#/components/schemas/Pet" } },
	Error: {
		type: "object",
		required: ["code", "message", "status"],
		properties: {
			code: { type: "string", description: "Machine-readable error code." },
			message: { type: "string", description: "Human-readable description." },
			status: {
				type: "integer",
				description: "The HTTP status code of the response.",
			},
		},
	},
} as const;
