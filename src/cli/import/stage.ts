// Reads all lines of a file: good ones go to the staging file, bad ones are told.
import { OperatorError } from "../../contract/errors.ts";
import type { FileFormat } from "../../contract/file-format.ts";
import { FormatError } from "../../formats/columns.ts";
import type { FileKind } from "../../formats/format.ts";
import { createReader, type ReadLine } from "../../formats/reader.ts";
import type { Staging } from "../../store/import.ts";
import type { TimedProgress } from "../progress.ts";
import type { BadLines } from "./bad-lines.ts";
import { openInput } from "./input.ts";

export interface ImportedFile extends FileKind {
	readonly file: string;
	readonly format: FileFormat;
}

export async function stageFile(
	{ file, format, isGzip }: ImportedFile,
	{ staging, bad, keepIds, signal, progress }: StageOptions,
): Promise<void> {
	const reader = createReader(format, keepIds);
	const { chunks, part } = openInput(file, isGzip, signal);
	const stage = (lines: readonly ReadLine[]) => {
		for (const line of lines) stageLine(line, staging, bad, reader.header);
	};
	try {
		for await (const chunk of chunks) {
			stage(reader.push(chunk));
			progress.show(staging.count(), part());
		}
		stage(reader.end());
	} catch (error) {
		if (!(error instanceof FormatError)) throw error;
		throw new OperatorError(
			`line ${error.line}: ${error.message} Nothing was added.`,
		);
	}
	staging.finish();
}

interface StageOptions {
	readonly staging: Staging;
	readonly bad: BadLines;
	readonly keepIds: boolean;
	readonly signal: AbortSignal;
	readonly progress: TimedProgress;
}

function stageLine(
	{ line, bytes, read }: ReadLine,
	staging: Staging,
	bad: BadLines,
	header: () => Uint8Array,
): void {
	if (read === undefined) bad.addRest(bytes);
	else if (typeof read === "string") bad.add(line, read, bytes, header);
	else {
		const { id = null, name, categoryId, status } = read;
		const same = staging.add({ line, id, name, categoryId, status });
		if (same !== undefined)
			bad.add(line, `id ${id} is also the id of line ${same}.`, bytes, header);
	}
}
