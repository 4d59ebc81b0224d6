// The JSON Schemas of the interface, named as in the interface document. Pet repeats the members of NewPet, since code generators and
// renderers handle flat objects better than `allOf`.
import { defaultPetStatus, maxNameLength, petStatuses } from "../domain/pet.ts";

/** A JSON Schema with the keywords that the interfaces use. */
export interface Schema {
	readonly $ref?: string;
	readonly type?: string | readonly [string, "null"];
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

export const maxPageSize = 100;

export const int64 = { type: "integer", format: "int64" } as const;
export const int32 = { type: "integer", format: "int32" } as const;

const describe =
	<Form extends Schema>(form: Form) =>
	(description: string) => ({ ...form, description });

export const text = describe({ type: "string" });
export const time = describe({ type: "string", format: "date-time" });
export const flag = describe({ type: "boolean" });
/** A member that is either true or absent. */
export const onlyTrue = describe({ type: "boolean", const: true });
export const decimal = describe({ type: "number" });
export const whole32 = describe(int32);
export const whole64 = describe(int64);

export const ref = (name: string, description?: string) => ({
	$ref: `#/components/schemas/${name}`,
	...(description !== undefined && { description }),
});

export const list = (name: string, maxItems: number) => ({
	type: "array",
	maxItems,
	items: ref(name),
});

export function object<Required extends object, Optional extends object>(
	description: string,
	required: Required,
	optional?: Optional,
) {
	return {
		type: "object",
		description,
		required: Object.keys(required),
		properties: { ...required, ...optional },
	};
}

/** For an object that a caller sends: refuses unknown members. */
export function closedObject<
	Required extends Record<string, object>,
	Optional extends Record<string, object>,
>(description: string, required: Required, optional?: Optional) {
	const additionalProperties = false as const;
	return { ...object(description, required, optional), additionalProperties };
}

const name = {
	type: "string",
	// \x00, since Go has no \u0000. Lone surrogates are allowed, since not every dialect can exclude them.
	pattern: "^[^\\x00]*$",
	maxLength: maxNameLength,
	description: `The animal's name: any text of at most ${maxNameLength} characters without U+0000 and lone surrogates, kept to the code point.`,
} as const;

const categoryId = whole64("Id of the category the animal belongs to.");

export const schemas = {
	PetStatus: {
		type: "string",
		enum: petStatuses,
		description: "Availability status of an animal.",
	},
	NewPet: object(
		"An animal to add.",
		{ name, categoryId },
		{
			status: ref(
				"PetStatus",
				`Availability status; \`${defaultPetStatus}\` when omitted.`,
			),
		},
	),
	Pet: object("An animal of the catalogue.", {
		id: whole64("Unique identifier assigned by the service on creation."),
		name,
		categoryId,
		status: ref(
			"PetStatus",
			"Availability status. The interface document does not require it in a reply; this service always sends it.",
		),
	}),
	Pets: {
		...list("Pet", maxPageSize),
		description: "Animals, newest first.",
	},
	Error: object("Why a request was refused or failed.", {
		code: text("Machine-readable error code."),
		message: text("Human-readable description."),
		status: whole32("The HTTP status code of the response."),
	}),
} as const;
