// Writes animals as the bytes of a file that an import can read.
import type { FileFormat } from "../domain/pet/file-format.ts";
import { fields, type StoredPet } from "../domain/pet/pet.ts";
import { toPetType } from "../domain/pet/pet-types.ts";
import { type ColumnName, fieldNames } from "./columns.ts";
import { toCsvLine } from "./csv.ts";

/** `excel` is only for CSV: Excel opens UTF-16 with a byte order mark and tabs rightly in every country. */
export function toWriter(
	format: FileFormat,
	excel = false,
	/** Of categories, by their ids. Only Excel files have them. */
	names: ReadonlyMap<bigint, string> = new Map(),
) {
	const columns: readonly ColumnName[] = excel
		? fieldNames.map((name) => (name === "categoryId" ? "category" : name))
		: fieldNames;
	const toCsv = (values: readonly string[]) =>
		toCsvLine(values, excel ? "\t" : ",");
	const toCell = (pet: StoredPet, column: ColumnName) => {
		const name = column === "category" ? "categoryId" : column;
		const value = pet[name] ?? null;
		const called = column === "category" && names.get(pet.categoryId);
		return called && !figure.test(called)
			? called
			: value === null
				? ""
				: fields[name].type.toText(value);
	};
	const toLine = (pet: StoredPet) =>
		format === "csv"
			? toCsv(columns.map((column) => toCell(pet, column)))
			: `${lineType.write(pet)}\n`;
	const toBytes = (text: string): Uint8Array =>
		Buffer.from(text, excel ? "utf16le" : "utf8");
	const header = (excel ? "\uFEFF" : "") + toCsv(columns);
	return {
		/** The bytes before all animals. */
		head: toBytes(format === "csv" ? header : ""),
		toBytes: (pets: readonly StoredPet[]) => toBytes(pets.map(toLine).join("")),
	};
}

/** Excel takes it for a number or a date, and would save another text: `1E+15`, `1-2`. It has the id instead. */
const figure = /^(?=.*\d)[\P{L}eE]*$/su;

const lineType = toPetType(fieldNames);
