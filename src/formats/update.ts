// A line of a file that updates animals: one with an id changes that animal, in the members that it has, and one without adds an animal.
import { maxInt64 } from "../domain/json.ts";
import { isObject } from "../domain/members.ts";
import { type NewPet, toCategoryId, toStatus } from "../domain/pet.ts";
import {
	notAnObject,
	type RowKind,
	toFileName,
	toFilePet,
	toId,
	toProblems,
} from "./pet.ts";
import { isProblems, type Problems } from "./problem.ts";

type SomeOfPet = { readonly [Name in keyof NewPet]?: NewPet[Name] | undefined };

export interface FileUpdate extends SomeOfPet {
	/** Undefined adds an animal, with all members. */
	readonly id: bigint | undefined;
	/** Which version the animal must have; undefined for any. */
	readonly version?: bigint | undefined;
}

export const updates: RowKind<FileUpdate> = {
	required: ["id"],
	toRow: toFileUpdate,
	hasOnlyFullCells: true,
};

function toFileUpdate(value: unknown): FileUpdate | Problems {
	if (!isObject(value)) return notAnObject;
	const broken: string[] = [];
	const id = toId(value.id, "optional", broken);
	const version = toVersion(value.version, broken);
	if (value.id === undefined) {
		if (value.version !== undefined) broken.push("version needs an id.");
		const pet = toFilePet(value, "ignored");
		return isProblems(pet) || broken.length > 0
			? [...toProblems(value, broken), ...(isProblems(pet) ? pet : [])]
			: pet;
	}
	const update = {
		id,
		version,
		...("name" in value && { name: toFileName(value.name, broken) }),
		...("categoryId" in value && {
			categoryId: toCategoryId(value.categoryId, broken),
		}),
		...("status" in value && { status: toStatus(value.status, broken) }),
	};
	return broken.length > 0 ? toProblems(value, broken) : update;
}

function toVersion(value: unknown, broken: string[]): bigint | undefined {
	if (value === undefined) return undefined;
	if (typeof value === "bigint" && value >= 1n) return value;
	broken.push(`version must be a whole number from 1 to ${maxInt64}.`);
	return undefined;
}
