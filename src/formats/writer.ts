// Writes animals as the text of a file. An import with --keep-ids of this text gives the same animals.
import type { FileFormat } from "../domain/file-format.ts";
import { type Pet, petToJson, type StoredPet } from "../domain/pet.ts";
import type { ColumnName } from "./columns.ts";
import { type Separator, toCsvLine } from "./csv.ts";

interface CsvForm {
	readonly separator?: Separator | undefined;
	/** Whether a byte order mark comes first, as spreadsheets need it. */
	readonly bom?: boolean | undefined;
	readonly columns?: readonly ColumnName[] | undefined;
}

type WrittenPet = Pet & Partial<StoredPet>;

export type Writer = ReturnType<typeof toWriter>;

/** `form` is only for CSV. */
export function toWriter(format: FileFormat, form: CsvForm = {}) {
	const { separator, bom = false, columns = usualColumns } = form;
	const isCsv = format === "csv";
	const header = (bom ? "\uFEFF" : "") + toCsvLine(columns, separator);
	const toLine = (pet: WrittenPet) =>
		isCsv
			? toCsvLine(
					columns.map((column) => String(pet[column])),
					separator,
				)
			: `${petToJson(pet)}\n`;
	return {
		/** The text before all animals. */
		header: isCsv ? header : "",
		toText: (pets: readonly WrittenPet[]) => pets.map(toLine).join(""),
	};
}

const usualColumns = ["id", "name", "categoryId", "status"] as const;
