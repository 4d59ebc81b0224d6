// Reads all lines of a file. Good lines go to the staging file, errors are listed by line number.
import { OperatorError } from "../../../domain/errors.ts";
import { FormatError } from "../../../formats/columns.ts";
import { createStager, type ReadOptions } from "../../../imports/stage.ts";
import type { Staging } from "../../../store/import.ts";
import type { Progress } from "../../terminal/progress.ts";
import type { BadLines } from "./bad-lines.ts";
import { openInput } from "./input.ts";

export interface ImportedFile extends ReadOptions {
	readonly file: string;
	readonly isGzip: boolean;
}

export async function stageFile(
	{ file, isGzip, ...read }: ImportedFile,
	options: {
		readonly staging: Staging;
		readonly bad: BadLines;
		readonly signal: AbortSignal;
		readonly progress: Progress;
	},
): Promise<{ contentHash: string; hasIds: boolean }> {
	const { staging, bad, signal, progress } = options;
	const stager = createStager(staging, read, (line) => bad.add(line, stager));
	const { chunks, part } = openInput(file, isGzip, signal);
	try {
		for await (const chunk of chunks) {
			stager.push(chunk);
			progress.show(staging.count(), part());
		}
		return stager.end();
	} catch (error) {
		if (!(error instanceof FormatError)) throw error;
		throw new OperatorError(
			`line ${error.line}: ${error.message}${error.hint} Nothing was added.`,
		);
	}
}
