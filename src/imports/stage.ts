// Reads the animals of a file into a staging file, for the command line and over HTTP.
import type { FileFormat } from "../domain/file-format.ts";
import { createSha256 } from "../domain/hash.ts";
import {
	type FileUpdate,
	newPets,
	type RowKind,
	updates,
} from "../formats/pet.ts";
import { isProblems, ofField, type Problems } from "../formats/problem.ts";
import {
	type CsvOptions,
	createReader,
	type ReadLine,
} from "../formats/reader.ts";
import type { ImportMode, Staging } from "../store/import.ts";

export interface ReadOptions extends CsvOptions {
	readonly format: FileFormat;
	readonly mode: ImportMode;
}

const rowKinds: Readonly<Record<ImportMode, RowKind<FileUpdate>>> = {
	add: newPets,
	update: updates,
};

export function createStager(
	staging: Staging,
	{ format, mode, ...csv }: ReadOptions,
	/** Called for a line that is not staged. */
	onBad: (line: number, problems: Problems) => void,
) {
	const reader = createReader(format, rowKinds[mode], csv);
	const hash = createSha256();

	function stage({ line, read }: ReadLine<FileUpdate>) {
		if (isProblems(read)) return onBad(line, read);
		const same = staging.add(line, read);
		if (same === undefined) return;
		const message = `id is also the id of line ${same}.`;
		onBad(line, [ofField("id", read.id, message)]);
	}

	return {
		...reader,
		/** Throws a FormatError if the file cannot be read at all. */
		push(chunk: Uint8Array) {
			hash.update(chunk);
			reader.push(chunk).forEach(stage);
		},
		end() {
			reader.end().forEach(stage);
			staging.finish();
			return { contentHash: hash.digest("hex"), hasIds: reader.hasIds() };
		},
	};
}
