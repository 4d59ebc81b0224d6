// Validates a line of a file: an animal by the rules of NewPet, or an update of one.

import {
	fields,
	givenNames,
	type NewPet,
	type PetPatch,
	petFields,
	readNewPet,
} from "../domain/pet.ts";
import { petPatchType } from "../domain/pet-types.ts";
import { isObject } from "../domain/unknown.ts";
import type { ColumnName } from "./columns.ts";
import { ofField, ofLine, type Problems } from "./problem.ts";

/** How to read the lines of a file. */
export interface RowKind<Row> {
	/** Columns of a CSV file. */
	readonly required: readonly ColumnName[];
	/** Takes the result of `parseJson`. */
	readonly toRow: (value: unknown) => Row | Problems;
	/** Whether a line may change an animal. An empty cell then clears an optional member; else it is an error, as the member could have to stay. */
	readonly isUpdate?: boolean;
}

export interface FilePet extends NewPet {
	/** Undefined if the animal gets a new one. */
	readonly id: bigint | undefined;
}

const required = givenNames.filter(
	(name) => !fields[name].isOptional && fields[name].fallback === undefined,
);

export const newPets: RowKind<FilePet> = {
	required,
	toRow: (value) => toFilePet(value, "ignored"),
};

export const ownPets: RowKind<FilePet> = {
	required,
	toRow: (value) => toFilePet(value, "optional"),
};

export interface FileUpdate extends PetPatch {
	/** Undefined adds an animal, which has all members. */
	readonly id: bigint | undefined;
	/** Which version the animal must have; undefined for any. */
	readonly version?: bigint | undefined;
}

/** A line with an id changes the members that it has. A line without an id adds an animal. */
export const updates: RowKind<FileUpdate> = {
	required: ["id"],
	isUpdate: true,
	toRow(value) {
		if (!isObject(value)) return notAnObject;
		const broken: string[] = [];
		const isNew = value.id === undefined;
		const id = readOwn("id", value, broken);
		const version = readOwn("version", value, broken);
		if (isNew && value.version !== undefined)
			broken.push("version needs an id.");
		const members = isNew
			? readNewPet(value, broken)
			: petPatchType.read(value, "", broken);
		return broken.length > 0
			? toProblems(value, broken)
			: { ...members, id, version };
	},
};

/** Whether each animal must have an id, may have one, or gets a new one in any case. */
type Ids = "required" | "optional" | "ignored";

export function toFilePet(value: unknown, ids: Ids): FilePet | Problems {
	if (!isObject(value)) return notAnObject;
	const broken: string[] = [];
	if (ids === "required" && value.id === undefined)
		broken.push("id is required.");
	const id = ids === "ignored" ? undefined : readOwn("id", value, broken);
	const pet = readNewPet(value, broken);
	return broken.length > 0 ? toProblems(value, broken) : { id, ...pet };
}

const notAnObject = ofLine("An animal must be a JSON object.");

/** Undefined if the line lacks it. */
function readOwn(
	name: "id" | "version",
	value: Readonly<Record<string, unknown>>,
	broken: string[],
): bigint | undefined {
	return value[name] === undefined
		? undefined
		: petFields[name].type.read(value[name], name, broken);
}

/** Each sentence begins with the name of its member. */
export function toProblems(
	value: Readonly<Record<string, unknown>>,
	broken: readonly string[],
): Problems {
	return broken.map((sentence) => {
		const [field = ""] = sentence.split(" ", 1);
		const found = value[field];
		const isMangled =
			typeof found === "string" && mangled.test(found) && isNumber(field);
		return ofField(
			field,
			found,
			isMangled
				? `${field} has lost digits in a spreadsheet; format the column there as text, and enter the number again.`
				: sentence,
		);
	});
}

function isNumber(field: string): boolean {
	return new Map(Object.entries(fields)).get(field)?.type.column === "INTEGER";
}

/** `1E+15`, or `9,00E+15` in a language with a decimal comma. */
const mangled = /^[+-]?\d+([.,]\d*)?E[+-]?\d+$/i;
