// Writes animals as the bytes of a file that an import can read.
import type { FileFormat } from "../domain/file-format.ts";
import { fields, type Pet, petToJson, type StoredPet } from "../domain/pet.ts";
import { type ColumnName, columnNames } from "./columns.ts";
import { type Separator, toCsvLine } from "./csv.ts";

type WrittenPet = Pet & Partial<StoredPet>;

/** `excel` is only for CSV: Excel opens UTF-16 with a byte order mark and tabs rightly in every country. */
export function toWriter(format: FileFormat, excel = false) {
	const separator: Separator = excel ? "\t" : ",";
	const toBytes = (text: string): Uint8Array =>
		Buffer.from(text, excel ? "utf16le" : "utf8");
	const toLine = (pet: WrittenPet) =>
		format === "csv"
			? toCsvLine(
					columnNames.map((column) => toCell(column, pet[column])),
					separator,
				)
			: `${petToJson(pet)}\n`;
	const header = (excel ? "\uFEFF" : "") + toCsvLine(columnNames, separator);
	return {
		/** The bytes before all animals. */
		head: toBytes(format === "csv" ? header : ""),
		toBytes: (pets: readonly WrittenPet[]) =>
			toBytes(pets.map(toLine).join("")),
	};
}

function toCell(
	column: ColumnName,
	value: StoredPet[ColumnName] | undefined,
): string {
	return value === undefined || value === null
		? ""
		: fields[column].type.toText(value);
}
