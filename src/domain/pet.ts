// An animal. Its fields are written here once: JSON, documents, SQL, patches, history, files and forms derive from this record.
import { authorOf } from "./author.ts";
import { Failure } from "./errors.ts";
import {
	type Field,
	type Given,
	type NamesOf,
	namesOf,
	type Received,
	type Sent,
	toRecord,
	type Values,
} from "./field.ts";
import { isObject } from "./json.ts";
import { int64, oneOf, text, timeColumn } from "./scalar.ts";
import { refuse, type Type, withExample } from "./type.ts";

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
		from: "client",
	},
	categoryId: {
		type: int64("Id of the category the animal belongs to."),
		title: "Category",
		from: "client",
	},
	status: {
		type: oneOf("Availability status of an animal.", petStatuses, "PetStatus"),
		title: "Status",
		from: "client",
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
		isInternal: true,
		isInFiles: true,
		isUnlisted: true,
	},
	addedAt: {
		type: timeColumn("When it was added. Absent if unknown."),
		title: "Added",
		from: "service",
		isInternal: true,
		isOptional: true,
	},
	addedBy: {
		type: authorOf("Who added it. Absent if unknown."),
		title: "Added by",
		from: "service",
		isInternal: true,
		isOptional: true,
		isUnlisted: true,
	},
} as const;

type Fields = typeof petFields;
type GivenName = NamesOf<Fields, { from: "client" }>;
type InternalName = NamesOf<Fields, { isInternal: true }>;

export interface StoredPet extends Values<Fields> {}
/** What clients see. */
export interface Pet extends Omit<StoredPet, InternalName> {}
export interface NewPet extends Pick<StoredPet, GivenName> {}
/** A member that stays is missing. One that is cleared is null. */
export type PetPatch = Partial<NewPet>;

/** The body of an add, and the animal in replies to operators, as JSON with exact int64. */
export type SentPet = Sent<Pick<Fields, GivenName>>;
export type ReceivedStoredPet = Received<Fields>;

/** The record for code that handles all fields alike. */
export const fields: { readonly [Name in keyof StoredPet]: Field } = petFields;
export const petNames = namesOf(petFields, {});
/** What clients give, and operators change. */
export const givenNames = namesOf(petFields, { from: "client" });
export const shownNames = petNames.filter(
	(name): name is keyof Pet => !fields[name].isInternal,
);

/** Takes the result of `parseJson`. Throws `invalid_body` with every broken rule. Drops unknown members. */
export function toNewPet(value: unknown): NewPet {
	if (!isObject(value))
		throw new Failure("invalid_body", "The body must be a JSON object.");
	const broken: string[] = [];
	const pet = readNewPet(value, broken);
	if (broken.length > 0) throw new Failure("invalid_body", broken.join(" "));
	return pet;
}

/** Written by hand for its speed. A field that it lacks is a type error. */
export function readNewPet(
	value: Readonly<Record<string, unknown>>,
	broken: string[],
): NewPet {
	const { name, categoryId, status } = petFields;
	return {
		name: readOne(name, "name", value.name, broken),
		categoryId: readOne(categoryId, "categoryId", value.categoryId, broken),
		status: readOne(status, "status", value.status, broken),
	};
}

/** After a broken rule, which is in `broken`, the result has no meaning. */
function readOne<Value>(
	{ type, fallback }: NeededField<Value>,
	name: string,
	json: unknown,
	broken: string[],
): Value {
	if (json !== undefined) return type.read(json, name, broken);
	return fallback ?? refuse(broken, name, "is required");
}

/** One that may be absent must be null then. */
interface NeededField<Value> {
	readonly type: Type<Value>;
	readonly fallback?: Value;
	readonly isOptional?: never;
}

/** Written by hand for its speed too. */
export function petToJson({
	id,
	name,
	categoryId,
	status,
}: Only<Pet, "id" | "name" | "categoryId" | "status">): string {
	return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`;
}

/** `Type` if it has only these members, else a type that names the others. */
export type Only<Type, Members extends keyof Type> =
	Exclude<keyof Type, Members> extends never
		? Type
		: { readonly forgotten: Exclude<keyof Type, Members> };

/** Without id, version and origin: what puts an earlier state back. */
export function toContent(pet: NewPet): NewPet {
	return toRecord<NewPet>(givenNames, (name) => pet[name]);
}

/** With the fallbacks of the members that are missing. */
export function toWhole<Also extends object>(
	given: Given<Pick<Fields, GivenName>> & Also,
): NewPet & Also {
	return { ...absent, ...given } as NewPet & Also;
}

const absent = toRecord<PetPatch>(
	givenNames,
	(name) =>
		fields[name].fallback ?? (fields[name].isOptional ? null : undefined),
);

export function noSuchPet(): Failure {
	return new Failure("not_found", "No animal has this petId.");
}
