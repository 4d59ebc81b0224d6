// The animal as types of bodies and replies, from its fields.
import { type Field, toObjectType } from "../types/field.ts";
import {
	type As,
	nullable,
	optional,
	type Stored,
	type Type,
	withDescription,
} from "../types/type.ts";
import {
	fields,
	type GivenPet,
	givenNames,
	type PetPatch,
	petNames,
	type ReceivedStoredPet,
	type StoredPet,
} from "./pet.ts";

/** What people give. Documents call it as the contract does. */
export const givenPetType = toObjectType<GivenPet>(
	"NewPet",
	"An animal to add.",
	fields,
	givenNames,
	(field) => toMember(field, field.inRequests, field.fallback),
);

/** For the animals of a sandbox, which may come with their ids. */
export interface OwnPet extends GivenPet {
	readonly id?: bigint | undefined;
}

/** No document shows it. */
export const ownPetType = toObjectType<OwnPet>(
	"OwnPet",
	"",
	fields,
	["id", ...givenNames],
	(field) =>
		field === fields.id
			? optional(field.type)
			: toMember(field, undefined, field.fallback),
);

/** For operators, in whose document it is called Pet too. */
const stored = toPetType(petNames);
export const storedPetType: As<typeof stored, ReceivedStoredPet> = stored;

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

/** An animal with these fields. */
export function toPetType<Name extends keyof StoredPet>(
	names: readonly Name[],
) {
	return toObjectType<Pick<StoredPet, Name>>(
		"Pet",
		"An animal of the catalogue.",
		fields,
		names,
		(field) => toMember(field, field.inReplies),
	);
}

function toMember(
	{ type, isOptional }: Field,
	description: string | undefined,
	fallback?: Stored,
): Type {
	return {
		...(description === undefined ? type : withDescription(type, description)),
		...((isOptional || fallback !== undefined) && {
			isOptional: true,
			fallback: fallback ?? null,
		}),
	};
}
