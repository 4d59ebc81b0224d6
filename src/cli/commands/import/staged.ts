// Reads all lines of a file: stages good lines, and lists bad lines by number.
import { OperatorError } from "../../../domain/errors.ts";
import { FormatError } from "../../../formats/columns.ts";
import {
	createStager,
	type ReadOptions,
	type Stager,
} from "../../../imports/stage.ts";
import type { Staging } from "../../../store/import.ts";
import { openStaging } from "../../../store/open.ts";
import { createProgress } from "../../terminal/progress.ts";
import { type BadLines, openBadLines } from "./bad-lines.ts";
import { openInput } from "./input.ts";
import { refuseLines } from "./report.ts";

export interface ImportedFile extends ReadOptions {
	readonly file: string;
	readonly isGzip: boolean;
	readonly signal: AbortSignal;
}

export interface StagedFile extends ReturnType<Stager["end"]> {
	readonly staging: Staging;
	readonly bad: BadLines;
}

/** Calls `use` with the staged animals, if no line is bad or bad lines are skipped. */
export async function withStaged(
	imported: ImportedFile,
	flags: {
		readonly quiet?: true;
		readonly dryRun?: true;
		readonly skipBad?: string;
	},
	use: (staged: StagedFile) => Promise<void>,
): Promise<void> {
	const { file, isGzip, signal, ...read } = imported;
	const path = flags.dryRun ? undefined : flags.skipBad;
	const bad = openBadLines(path, read.format);
	const progress = createProgress(flags.quiet);
	let staging: Staging | undefined;
	try {
		staging = await openStaging(read.mode);
		const stager = createStager(staging, read, (line) => bad.add(line, stager));
		const { chunks, part } = openInput(file, isGzip, signal);
		for await (const chunk of chunks) {
			stager.push(chunk);
			progress.show(staging.count(), part());
		}
		const result = stager.end();
		bad.finish();
		progress.end();
		if (flags.skipBad === undefined) refuseLines(bad.count());
		await use({ staging, bad, ...result });
	} catch (error) {
		bad.discard();
		if (!(error instanceof FormatError)) throw error;
		throw new OperatorError(
			`line ${error.line}: ${error.message}${error.hint} Nothing was imported.`,
		);
	} finally {
		progress.end();
		staging?.close();
	}
}
