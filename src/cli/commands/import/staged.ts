// Reads all lines of a file into a staging file.
import { OperatorError } from "../../../domain/errors.ts";
import { toCountText } from "../../../domain/quantity.ts";
import { FormatError } from "../../../formats/columns.ts";
import type { LineProblem } from "../../../formats/problem.ts";
import { createStager, type ReadOptions } from "../../../imports/stage.ts";
import { maxImportedAnimals } from "../../../limits.ts";
import { maxListedErrors, type Staging } from "../../../store/import.ts";
import { openStaging } from "../../../store/open.ts";
import { createProgress } from "../../terminal/progress.ts";
import { openInput } from "./input.ts";
import { refuseProblems } from "./report.ts";

export interface ImportedFile extends ReadOptions {
	readonly file: string;
	readonly isGzip: boolean;
	readonly signal: AbortSignal;
}

export interface StagedFile {
	readonly staging: Staging;
	readonly contentHash: string;
	readonly hasIds: boolean;
}

/** Calls `use` with the staged animals, if no line is bad. */
export async function withStaged(
	imported: ImportedFile,
	isQuiet: true | undefined,
	use: (staged: StagedFile) => Promise<void>,
): Promise<void> {
	const { file, isGzip, signal, ...read } = imported;
	const progress = createProgress(isQuiet);
	const first: LineProblem[] = [];
	let count = 0;
	let staging: Staging | undefined;
	try {
		staging = await openStaging(read.mode);
		const stager = createStager(staging, read, (line, problems) => {
			count += problems.length;
			for (const problem of problems)
				if (first.length < maxListedErrors) first.push({ line, ...problem });
		});
		const { chunks, part } = openInput(file, isGzip, signal);
		for await (const chunk of chunks) {
			stager.push(chunk);
			if (staging.count() > maxImportedAnimals) throw tooManyAnimals(file);
			progress.show(staging.count(), part());
		}
		const result = stager.end();
		if (staging.count() > maxImportedAnimals) throw tooManyAnimals(file);
		progress.end();
		refuseProblems({ count, first });
		await use({ staging, ...result });
	} catch (error) {
		if (!(error instanceof FormatError)) throw error;
		throw new OperatorError(
			`line ${error.line}: ${error.message}${error.hint} Nothing was imported.`,
		);
	} finally {
		progress.end();
		staging?.close();
	}
}

function tooManyAnimals(file: string): OperatorError {
	return new OperatorError(
		`${file} has more than ${toCountText(maxImportedAnimals)} animals; import them in several files. Nothing was imported.`,
	);
}
