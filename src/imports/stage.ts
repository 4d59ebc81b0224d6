// Reads the animals of a file into a staging file, for the command line and over HTTP.
import type { FileFormat } from "../domain/file-format.ts";
import { createSha256 } from "../domain/hash.ts";
import type { CsvOptions } from "../formats/columns.ts";
import { keptPets, newPets, type RowKind } from "../formats/pet.ts";
import { isProblems, ofField, type Problems } from "../formats/problem.ts";
import { createReader, type ReadLine } from "../formats/reader.ts";
import { type FileUpdate, updates } from "../formats/update.ts";
import type { ImportMode, Staging } from "../store/import.ts";

export interface ReadOptions extends CsvOptions {
	readonly format: FileFormat;
	readonly mode: ImportMode;
}

/** A line that is not staged. */
export interface BadLine extends Pick<ReadLine<FileUpdate>, "line" | "bytes"> {
	/** Undefined for further bytes of a line that was too long. */
	readonly problems: Problems | undefined;
}

const rowKinds: Readonly<Record<ImportMode, RowKind<FileUpdate>>> = {
	...{ add: newPets, "keep ids": keptPets, update: updates },
};

export function createStager(
	staging: Staging,
	{ format, mode, ...csv }: ReadOptions,
	onBad: (bad: BadLine) => void,
) {
	const reader = createReader(format, rowKinds[mode], csv);
	const hash = createSha256();

	function stage({ line, bytes, read }: ReadLine<FileUpdate>): void {
		const problems =
			read === undefined || isProblems(read) ? read : add(line, read);
		if (read === undefined || problems !== undefined)
			onBad({ line, bytes, problems });
	}

	function add(line: number, update: FileUpdate): Problems | undefined {
		const { id = null, name = null, categoryId = null } = update;
		const { status = null, version = null } = update;
		const pet = { line, id, name, categoryId, status, version };
		const same = staging.add(pet);
		return same === undefined
			? undefined
			: [ofField("id", id, `id is also the id of line ${same}.`)];
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
