// Validates a line of a file: an animal by the rules of NewPet, or an update of one.

import { isKeyName, keyNameRule } from "../domain/access/key-scope.ts";
import { Failure } from "../domain/errors.ts";
import {
	fields,
	givenNames,
	type PetPatch,
	petFields,
	readGiven,
} from "../domain/pet/pet.ts";
import {
	type OwnPet,
	ownPetType,
	petPatchType,
} from "../domain/pet/pet-types.ts";
import { isObject } from "../domain/types/json.ts";
import { type ColumnName, type Columns, isShortened } from "./columns.ts";
import { ofField, type Problems } from "./problem.ts";

/** How to read the lines of a file. */
export interface RowKind<Row> {
	/** The columns that a CSV file must have. */
	readonly toRequired: (columns: Columns) => readonly ColumnName[];
	/** Takes the result of `parseJson`, and the name of a category instead of a categoryId. */
	readonly toRow: (value: unknown, category?: string) => Row | Problems;
	/** Whether an empty cell of a line with an id leaves the value as it is. */
	readonly isUpdate?: boolean;
}

const requiredNames = givenNames.filter(
	(name) => !fields[name].isOptional && fields[name].fallback === undefined,
);

/** For a sandbox: animals with or without ids of their own. */
export const ownPets: RowKind<OwnPet> = {
	toRequired: () => requiredNames,
	toRow(value) {
		if (!isObject(value)) return notAnObject;
		const broken: string[] = [];
		const pet = ownPetType.read(value, "", broken);
		return broken.length > 0 ? toProblems(value, broken) : pet;
	},
};

/** With "update", a line with an id changes that animal. With "add", all lines add animals. A file without ids needs neither. */
export const importModes = ["update", "add"] as const;
export type ImportMode = (typeof importModes)[number];

export interface FileUpdate extends PetPatch {
	/** Undefined adds an animal, which has all members. */
	readonly id: bigint | undefined;
	/** Which version the animal must have; undefined for any. */
	readonly version?: bigint | undefined;
	/** The name of its category, whose id stands for `categoryId`. */
	readonly category?: string | undefined;
}

/** Throws a Failure if a line has an id, and the mode is not known. */
export function toImported(
	mode: ImportMode | undefined,
	/** How the caller gives a mode. */
	toName: (mode: ImportMode) => string = String,
): RowKind<FileUpdate> {
	return {
		toRequired(columns) {
			if (mode === "update") return ["id"];
			return mode === undefined && columns.includes("id") ? [] : requiredNames;
		},
		isUpdate: mode === "update",
		toRow(value, category) {
			if (!isObject(value)) return notAnObject;
			if (mode === undefined && value.id !== undefined)
				throw new Failure(
					"invalid_parameter",
					`The file has ids. Use ${toName("update")} to change these animals, or ${toName("add")} to add all as new ones.`,
				);
			const broken: string[] = [];
			const readOwn = (name: "id" | "version") =>
				mode === "update" && value[name] !== undefined
					? petFields[name].type.read(value[name], name, broken)
					: undefined;
			const [id, version] = [readOwn("id"), readOwn("version")];
			// Its id is not known yet.
			const given = category === undefined ? {} : { categoryId: 0n };
			const isNew = mode !== "update" || value.id === undefined;
			const members = isNew
				? readGiven({ ...value, ...given }, broken)
				: petPatchType.read({ ...value, ...given }, "", broken);
			if (category !== undefined && !isKeyName(category))
				broken.push(`category ${keyNameRule}.`);
			return broken.length > 0
				? toProblems({ ...value, category }, broken)
				: { ...members, id, version, category };
		},
	};
}

const notAnObject = [{ message: "An animal must be a JSON object." }];

/** Each sentence begins with the name of its member. */
function toProblems(
	value: Readonly<Record<string, unknown>>,
	broken: readonly string[],
): Problems {
	return broken.map((sentence) => {
		const [field = ""] = sentence.split(" ", 1);
		const given = value[field];
		const reason =
			typeof given === "string" && isShortened(given)
				? " A spreadsheet has shortened the number: format the column as text."
				: "";
		return ofField(field, given, sentence + reason);
	});
}
