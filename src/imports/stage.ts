// Reads the animals of a file into a staging file, for the command line and over HTTP.
import type { FileFormat } from "../domain/file-format.ts";
import { createSha256 } from "../domain/hash.ts";
import type { CsvOptions } from "../formats/columns.ts";
import {
	type FileUpdate,
	keptPets,
	newPets,
	type RowKind,
	updates,
} from "../formats/pet.ts";
import { isProblems, ofField, type Problems } from "../formats/problem.ts";
import { createReader, type ReadLine } from "../formats/reader.ts";
import type { ImportMode, Staging } from "../store/import.ts";

export interface ReadOptions extends CsvOptions {
	readonly format: FileFormat;
	readonly mode: ImportMode;
}

/** A line that is not staged. */
export interface BadLine extends Pick<ReadLine<FileUpdate>, "line" | "bytes"> {
	/** Undefined for the further bytes of a line that is too long. */
	readonly problems: Problems | undefined;
}

const rowKinds: Readonly<Record<ImportMode, RowKind<FileUpdate>>> = {
	add: newPets,
	"keep ids": keptPets,
	update: updates,
};

export type Stager = ReturnType<typeof createStager>;

export function createStager(
	staging: Staging,
	{ format, mode, ...csv }: ReadOptions,
	onBad: (bad: BadLine) => void,
) {
	const reader = createReader(format, rowKinds[mode], csv);
	const hash = createSha256();

	function stage({ line, bytes, read }: ReadLine<FileUpdate>) {
		if (read === undefined || isProblems(read))
			return onBad({ line, bytes, problems: read });
		const same = staging.add(line, read);
		if (same === undefined) return;
		const message = `id is also the id of line ${same}.`;
		onBad({ line, bytes, problems: [ofField("id", read.id, message)] });
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
