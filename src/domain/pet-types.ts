// The animal as types of bodies and replies, from its fields.
import { type Field, toObjectType } from "./field.ts";
import {
	fields,
	givenNames,
	type NewPet,
	type Pet,
	type PetPatch,
	petNames,
	type StoredPet,
	shownNames,
	storedPetToJson,
	toJson,
} from "./pet.ts";
import { nullable, type Stored, type Type, withDescription } from "./type.ts";

/** The derived form of `toNewPet`. */
export const newPetType = {
	...toObjectType<NewPet>(
		"NewPet",
		"An animal to add.",
		fields,
		givenNames,
		(field) => toMember(field, field.inRequests, field.fallback),
	),
	write: (pet: NewPet) => toJson(pet, givenNames),
};

const ofCatalogue = "An animal of the catalogue.";

/** For clients; the derived form of `petToJson`. */
export const petType = {
	...toObjectType<Pet>("Pet", ofCatalogue, fields, shownNames, toReplied),
	write: (pet: Pet) => toJson(pet, shownNames),
};

/** For operators, in whose document it is called Pet too. */
export const storedPetType = {
	...toObjectType<StoredPet>("Pet", ofCatalogue, fields, petNames, toReplied),
	write: storedPetToJson,
};

const clearable = givenNames.filter((name) => fields[name].isOptional);

/** A JSON merge patch (RFC 7396). In a text, for example of a flag, the empty one clears an optional member. */
export const petPatchType = toObjectType<PetPatch>(
	"PetPatch",
	`A JSON merge patch (RFC 7396): its members replace the members of the animal. ${
		clearable.length === 0
			? "No member may be null."
			: `null clears ${clearable.join(", ")}; no other member may be null.`
	}`,
	fields,
	givenNames,
	({ type, isOptional }) => ({
		...(isOptional ? nullable<Stored>(type) : type),
		isOptional: true,
	}),
);

function toReplied(field: Field): Type {
	return toMember(field, field.inReplies);
}

function toMember(
	{ type, isOptional }: Field,
	description: string | undefined,
	fallback?: Stored,
): Type {
	return {
		...(description === undefined ? type : withDescription(type, description)),
		isOptional: isOptional === true || fallback !== undefined,
		fallback: fallback ?? null,
	};
}
