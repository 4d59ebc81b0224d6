// The catalogue's animal. It may grow, and its fields are written here once: JSON, documents, SQL, patches, history, files and forms derive
// from this record. `/v1` has an animal of its own, v1/pet.ts.
import { authorOf } from "../access/author.ts";
import { Failure } from "../errors.ts";
import {
	type Field,
	type Given,
	type NamesOf,
	namesOf,
	type Received,
	toRecord,
	type Values,
} from "../types/field.ts";
import { int64, oneOf, text, timeColumn } from "../types/scalar.ts";
import { refuse, withExample } from "../types/type.ts";

export const petStatuses = ["available", "pending", "sold"] as const;
export type PetStatus = (typeof petStatuses)[number];

/** In characters (Unicode code points). */
export const maxNameLength = 255;

/** The order is that of the members in JSON, which is promised, and of the columns in files and tables. */
export const petFields = {
	id: {
		type: int64("Unique identifier assigned by the service on creation.", 1n),
		title: "Id",
		from: "service",
		isInFiles: true,
	},
	name: {
		type: withExample(
			text(
				`The animal's name: any text of at most ${maxNameLength} characters without U+0000 and lone surrogates, kept to the code point.`,
				maxNameLength,
			),
			"Rex",
		),
		title: "Name",
		from: "people",
	},
	categoryId: {
		type: int64("Id of the category the animal belongs to."),
		title: "Category",
		from: "people",
	},
	status: {
		type: oneOf("Availability status of an animal.", petStatuses, "PetStatus"),
		title: "Status",
		from: "people",
		fallback: "available",
		inRequests: "Availability status; `available` when omitted.",
		inReplies:
			"Availability status. The interface document does not require it in a reply; this service always sends it.",
	},
	/** The value of the id counter at the add or the last change. No two states of an animal share a version. */
	version: {
		type: int64(
			"Another number after each change. Send it as the `version` of a change.",
			1n,
		),
		title: "Version",
		from: "service",
		isInFiles: true,
		isUnlisted: true,
	},
	addedAt: {
		type: timeColumn("When it was added. Absent if unknown."),
		title: "Added",
		from: "service",
		isOptional: true,
	},
	addedBy: {
		type: authorOf("Who added it. Absent if unknown."),
		title: "Added by",
		from: "service",
		isOptional: true,
		isUnlisted: true,
	},
} as const;

type Fields = typeof petFields;
type GivenName = NamesOf<Fields, { from: "people" }>;

export interface StoredPet extends Values<Fields> {}
/** What people give. */
export interface GivenPet extends Pick<StoredPet, GivenName> {}
/** The animals that a store begins with. */
export interface NumberedPet extends GivenPet, Pick<StoredPet, "id"> {}
/** A member that stays is missing. One that is cleared is null. */
export type PetPatch = Partial<GivenPet>;

/** The animal in replies to operators, as JSON with exact int64. */
export type ReceivedStoredPet = Received<Fields>;

/** The record for code that handles all fields alike. */
export const fields: { readonly [Name in keyof StoredPet]: Field } = petFields;
export const petNames = namesOf(petFields, {});
/** What people give and change. */
export const givenNames = namesOf(petFields, { from: "people" });

/** Drops unknown members. After a broken rule, which is in `broken`, the result has no meaning. */
export function readGiven(
	value: Readonly<Record<string, unknown>>,
	broken: string[],
): GivenPet {
	return toRecord<GivenPet>(givenNames, (name) => {
		const { type, fallback, isOptional }: Field = fields[name];
		const json = value[name];
		if (json !== undefined) return type.read(json, name, broken);
		if (isOptional) return null;
		return fallback ?? refuse(broken, name, "is required");
	});
}

/** `Type` if it has only these members, else a type that names the others. */
export type Only<Type, Members extends keyof Type> =
	Exclude<keyof Type, Members> extends never
		? Type
		: { readonly forgotten: Exclude<keyof Type, Members> };

/** Without id, version and origin: what puts an earlier state back. */
export function toContent(pet: GivenPet): GivenPet {
	return toRecord<GivenPet>(givenNames, (name) => pet[name]);
}

/** With the fallbacks of the members that are missing. */
export function toWhole<Also extends object>(
	given: Given<Pick<Fields, GivenName>> & Also,
): GivenPet & Also {
	return { ...absent, ...given } as GivenPet & Also;
}

const absent = toRecord<PetPatch>(
	givenNames,
	(name) =>
		fields[name].fallback ?? (fields[name].isOptional ? null : undefined),
);

export function noSuchPet(): Failure {
	return new Failure("not_found", "No animal has this petId.");
}
