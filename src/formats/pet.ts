// An animal of a file: held to the rules of NewPet, with an id if ids are kept.
import { isObject } from "../domain/members.ts";
import {
	isShortName,
	maxKeptId,
	maxNameBytes,
	type NewPet,
	toCategoryId,
	toName,
	toStatus,
} from "../domain/pet.ts";
import type { ColumnName } from "./columns.ts";
import { ofField, ofLine, type Problems } from "./problem.ts";

/** What the lines of a file mean. */
export interface RowKind<Row> {
	/** The columns that a CSV file must have. */
	readonly required: readonly ColumnName[];
	/** Takes what `parseJson` returns. */
	readonly toRow: (value: unknown) => Row | Problems;
	/** Whether an empty cell of a member is an error: it would not say whether the member stays. */
	readonly hasOnlyFullCells?: true;
}

export interface FilePet extends NewPet {
	/** Undefined if the animal gets a new one. */
	readonly id: bigint | undefined;
}

export const newPets: RowKind<FilePet> = {
	required: ["name", "categoryId"],
	toRow: (value) => toFilePet(value, "ignored"),
};

export const keptPets: RowKind<FilePet> = {
	required: ["id", "name", "categoryId"],
	toRow: (value) => toFilePet(value, "required"),
};

/** Animals that keep the ids that they have. */
export const ownPets: RowKind<FilePet> = {
	required: ["name", "categoryId"],
	toRow: (value) => toFilePet(value, "optional"),
};

/** Whether each animal must have an id, may have one, or gets a new one in any case. */
type Ids = "required" | "optional" | "ignored";

export function toFilePet(value: unknown, ids: Ids): FilePet | Problems {
	if (!isObject(value)) return notAnObject;
	const broken: string[] = [];
	const id = ids === "ignored" ? undefined : toId(value.id, ids, broken);
	const name = toFileName(value.name, broken);
	const categoryId = toCategoryId(value.categoryId, broken);
	const status = toStatus(value.status, broken);
	if (name === undefined || categoryId === undefined || status === undefined)
		return toProblems(value, broken);
	// The id.
	if (broken.length > 0) return toProblems(value, broken);
	return { id, name, categoryId, status };
}

export const notAnObject = ofLine("The line must be a JSON object.");

export function toId(
	value: unknown,
	ids: Ids,
	broken: string[],
): bigint | undefined {
	if (value === undefined) {
		if (ids === "required") broken.push("id is required.");
		return undefined;
	}
	if (typeof value === "bigint" && value >= 1n && value <= maxKeptId)
		return value;
	broken.push(`id must be a whole number from 1 to ${maxKeptId}.`);
	return undefined;
}

export function toFileName(
	value: unknown,
	broken: string[],
): string | undefined {
	const name = toName(value, broken);
	if (name === undefined || isShortName(name)) return name;
	broken.push(`name must not be longer than ${maxNameBytes} bytes in JSON.`);
	return undefined;
}

/** Each sentence begins with the name of its member. */
export function toProblems(
	value: Readonly<Record<string, unknown>>,
	broken: readonly string[],
): Problems {
	return broken.map((sentence) => {
		const [field = ""] = sentence.split(" ", 1);
		const found = value[field];
		const isMangled = typeof found === "string" && mangled.test(found);
		return ofField(
			field,
			found,
			isMangled && field !== "name" && field !== "status"
				? `${field} has lost digits in a spreadsheet; format the column there as text, and enter the number again.`
				: sentence,
		);
	});
}

/** `1E+15`, or `9,00E+15` in a language with a decimal comma. */
const mangled = /^[+-]?\d+([.,]\d*)?E[+-]?\d+$/i;
