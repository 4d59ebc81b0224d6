// Writes animals as the text of a file. An import with --keep-ids of this text gives the same animals.

import type { FileFormat } from "../domain/file-format.ts";
import { type Pet, petToJson, type StoredPet } from "../domain/pet.ts";
import type { ColumnName } from "./columns.ts";
import { type Separator, toCsvLine } from "./csv.ts";

export interface Writer {
	/** The text before all animals. */
	readonly header: string;
	readonly toText: (pets: readonly WrittenPet[]) => string;
}

type WrittenPet = Pet & Partial<StoredPet>;

export interface CsvForm {
	readonly separator?: Separator | undefined;
	/** Whether a byte order mark comes first, as spreadsheets need it. */
	readonly bom?: boolean | undefined;
	readonly columns?: readonly ColumnName[] | undefined;
}

/** `form` is only for CSV. */
export function toWriter(format: FileFormat, form: CsvForm = {}): Writer {
	return format === "csv" ? toCsvWriter(form) : ndjsonWriter;
}

const ndjsonWriter: Writer = {
	header: "",
	toText: (pets) => pets.map((pet) => `${petToJson(pet)}\n`).join(""),
};

function toCsvWriter({
	separator,
	bom = false,
	columns = usualColumns,
}: CsvForm): Writer {
	const toLine = (pet: WrittenPet) =>
		toCsvLine(
			columns.map((column) => String(pet[column])),
			separator,
		);
	return {
		header: (bom ? "\uFEFF" : "") + toCsvLine(columns, separator),
		toText: (pets) => pets.map(toLine).join(""),
	};
}

const usualColumns = ["id", "name", "categoryId", "status"] as const;
