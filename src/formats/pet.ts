// Validates a line of a file: an animal by the rules of NewPet, or an update of one.
import { maxInt64 } from "../domain/json.ts";
import { isObject } from "../domain/members.ts";
import { type NewPet, toCategoryId, toName, toStatus } from "../domain/pet.ts";
import type { ColumnName } from "./columns.ts";
import { ofField, ofLine, type Problems } from "./problem.ts";

/** How to read the lines of a file. */
export interface RowKind<Row> {
	/** Columns of a CSV file. */
	readonly required: readonly ColumnName[];
	/** Takes the result of `parseJson`. */
	readonly toRow: (value: unknown) => Row | Problems;
	/** Whether an empty cell is an error: in an update it could mean that the member stays. */
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

export const ownPets: RowKind<FilePet> = {
	required: ["name", "categoryId"],
	toRow: (value) => toFilePet(value, "optional"),
};

type SomeOfPet = { readonly [Name in keyof NewPet]?: NewPet[Name] | undefined };

export interface FileUpdate extends SomeOfPet {
	/** Undefined adds an animal, which has all members. */
	readonly id: bigint | undefined;
	/** Which version the animal must have; undefined for any. */
	readonly version?: bigint | undefined;
}

/** A line with an id changes the members that it has. A line without an id adds an animal. */
export const updates: RowKind<FileUpdate> = {
	required: ["id"],
	hasOnlyFullCells: true,
	toRow(value) {
		if (!isObject(value)) return notAnObject;
		const broken: string[] = [];
		const isNew = value.id === undefined;
		const id = toId(value.id, "optional", broken);
		const version = toVersion(value.version, broken);
		if (isNew && value.version !== undefined)
			broken.push("version needs an id.");
		const has = (member: keyof NewPet) => isNew || member in value;
		const update = {
			id,
			version,
			...(has("name") && { name: toName(value.name, broken) }),
			...(has("categoryId") && {
				categoryId: toCategoryId(value.categoryId, broken),
			}),
			...(has("status") && { status: toStatus(value.status, broken) }),
		};
		return broken.length > 0 ? toProblems(value, broken) : update;
	},
};

/** Whether each animal must have an id, may have one, or gets a new one in any case. */
type Ids = "required" | "optional" | "ignored";

export function toFilePet(value: unknown, ids: Ids): FilePet | Problems {
	if (!isObject(value)) return notAnObject;
	const broken: string[] = [];
	const id = ids === "ignored" ? undefined : toId(value.id, ids, broken);
	const name = toName(value.name, broken);
	const categoryId = toCategoryId(value.categoryId, broken);
	const status = toStatus(value.status, broken);
	const isWhole =
		name !== undefined && categoryId !== undefined && status !== undefined;
	return isWhole && broken.length === 0
		? { id, name, categoryId, status }
		: toProblems(value, broken);
}

const notAnObject = ofLine("An animal must be a JSON object.");

function toId(value: unknown, ids: Ids, broken: string[]): bigint | undefined {
	if (value === undefined) {
		if (ids === "required") broken.push("id is required.");
		return undefined;
	}
	if (typeof value === "bigint" && value >= 1n && value <= maxInt64)
		return value;
	broken.push(`id must be a whole number from 1 to ${maxInt64}.`);
	return undefined;
}

function toVersion(value: unknown, broken: string[]): bigint | undefined {
	if (value === undefined) return undefined;
	if (typeof value === "bigint" && value >= 1n) return value;
	broken.push(`version must be a whole number from 1 to ${maxInt64}.`);
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
