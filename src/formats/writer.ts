// Writes animals as the text of a file. An import with --keep-ids of this text gives the same animals.

import type { FileFormat } from "../domain/file-format.ts";
import { type Pet, petToJson } from "../domain/pet.ts";
import { columnNames, toCsvLine } from "./csv.ts";

export interface Writer {
	/** The text before all animals. */
	readonly header: string;
	readonly toText: (pets: readonly Pet[]) => string;
}

export const writers: Readonly<Record<FileFormat, Writer>> = {
	ndjson: {
		header: "",
		toText: (pets) => pets.map((pet) => `${petToJson(pet)}\n`).join(""),
	},
	csv: {
		header: toCsvLine(columnNames),
		toText: (pets) => pets.map(toLine).join(""),
	},
};

function toLine({ id, name, categoryId, status }: Pet): string {
	return toCsvLine([String(id), name, String(categoryId), status]);
}
