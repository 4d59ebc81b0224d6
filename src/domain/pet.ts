// An animal: its type, the validator of NewPet and the encoder of Pet.
import { Failure, failing } from "./errors.ts";
import { maxInt64, minInt64 } from "./json.ts";
import { isObject, type Only } from "./members.ts";

export const petStatuses = ["available", "pending", "sold"] as const;
export type PetStatus = (typeof petStatuses)[number];
export const defaultPetStatus: PetStatus = "available";

export interface NewPet {
	readonly name: string;
	readonly categoryId: bigint;
	readonly status: PetStatus;
}

export interface Pet extends NewPet {
	readonly id: bigint;
}

export interface StoredPet extends Pet {
	/** The value of the id counter at the add or the last change. No two states of an animal share a version. */
	readonly version: bigint;
	/** In milliseconds since 1970; null if it is not known. */
	readonly addedAt: bigint | null;
	/** The id of the key that has added it; null if it is not known. */
	readonly addedBy: bigint | null;
}

/** Takes the result of `parseJson`. Throws `invalid_body` with every broken rule. Drops unknown members. */
export function toNewPet(value: unknown): NewPet {
	if (!isObject(value))
		throw new Failure("invalid_body", "The body must be a JSON object.");
	const broken: string[] = [];
	const name = toName(value.name, broken);
	const categoryId = toCategoryId(value.categoryId, broken);
	const status = toStatus(value.status, broken);
	if (name === undefined || categoryId === undefined || status === undefined)
		throw new Failure("invalid_body", broken.join(" "));
	return { name, categoryId, status };
}

export function petToJson(pet: ShownPet): string {
	return `{${toMembers(pet)}}`;
}

export function storedPetToJson(
	pet: Only<
		StoredPet,
		"id" | "name" | "categoryId" | "status" | "version" | "addedAt" | "addedBy"
	>,
): string {
	const { version, addedAt, addedBy } = pet;
	const at =
		addedAt === null
			? ""
			: `,"addedAt":"${new Date(Number(addedAt)).toISOString()}"`;
	const by = addedBy === null ? "" : `,"addedBy":${addedBy}`;
	return `{${toMembers(pet)},"version":${version}${at}${by}}`;
}

type ShownPet = Only<Pet, "id" | "name" | "categoryId" | "status">;

/** The order of the members is promised. JSON.stringify takes no bigint, so the integers are written by hand. */
function toMembers({ id, name, categoryId, status }: ShownPet): string {
	return `"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"`;
}

/** In characters (Unicode code points). */
export const maxNameLength = 255;

/** Reads a plain decimal id; undefined if it cannot be the id of an animal. */
export function toPetId(text: string): bigint | undefined {
	if (!/^[1-9][0-9]{0,18}$/.test(text)) return undefined;
	const id = BigInt(text);
	return id <= maxInt64 ? id : undefined;
}

export const noSuchPet = failing("not_found", "No animal has this petId.");

// The rules of the members. A function returns undefined for a broken rule, and adds a sentence to `broken` that begins with the member's
// name.

export function toName(value: unknown, broken: string[]): string | undefined {
	if (value === undefined) broken.push("name is required.");
	else if (typeof value !== "string") broken.push("name must be a string.");
	else if (value.includes("\0"))
		broken.push("name must not contain the character U+0000.");
	else if (!value.isWellFormed())
		broken.push("name must not contain a lone surrogate.");
	else if (isLong(value))
		broken.push(`name must not have more than ${maxNameLength} characters.`);
	else return value;
	return undefined;
}

/** A character takes one or two code units. */
function isLong(name: string): boolean {
	return name.length > maxNameLength && [...name].length > maxNameLength;
}

export function toCategoryId(
	value: unknown,
	broken: string[],
): bigint | undefined {
	if (typeof value === "bigint") return value;
	broken.push(
		value === undefined
			? "categoryId is required."
			: `categoryId must be a whole number from ${minInt64} to ${maxInt64}.`,
	);
	return undefined;
}

export function toStatus(
	value: unknown,
	broken: string[],
): PetStatus | undefined {
	if (value === undefined) return defaultPetStatus;
	const status = petStatuses.find((allowed) => allowed === value);
	if (status === undefined)
		broken.push(`status must be one of ${petStatuses.join(", ")}.`);
	return status;
}
