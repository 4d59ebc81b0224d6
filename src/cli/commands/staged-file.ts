// Reads the lines of an imported file, or stdin, into a staging file. Refuses the file if a line is bad.
import { createReadStream } from "node:fs";
import { addAbortSignal, pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { OperatorError, toReason } from "../../domain/errors.ts";
import { toCountText, toQuantity } from "../../domain/quantity.ts";
import { FormatError } from "../../formats/columns.ts";
import { type LineProblem, problemToText } from "../../formats/problem.ts";
import { createStager, type ReadOptions } from "../../imports/stage.ts";
import { maxImportedAnimals } from "../../limits.ts";
import {
	type ImportProblems,
	maxListedErrors,
	type Staging,
} from "../../store/import.ts";
import { openStaging } from "../../store/open.ts";
import { createProgress, say } from "../terminal/print.ts";

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
	const showProgress = createProgress(isQuiet);
	const first: LineProblem[] = [];
	let count = 0;
	const staging = await openStaging(imported.mode);
	try {
		const stager = createStager(staging, imported, (line, problems) => {
			count += problems.length;
			for (const problem of problems)
				if (first.length < maxListedErrors) first.push({ line, ...problem });
		});
		for await (const chunk of readChunks(imported)) {
			stager.push(chunk);
			requireFew(staging, imported);
			showProgress(staging.count());
		}
		const result = stager.end();
		requireFew(staging, imported);
		refuseProblems({ count, first });
		await use({ staging, ...result });
	} catch (error) {
		if (!(error instanceof FormatError)) throw error;
		throw new OperatorError(
			`line ${error.line}: ${error.message}${error.hint} Nothing was imported.`,
		);
	} finally {
		staging.close();
	}
}

function requireFew(staging: Staging, { file }: ImportedFile): void {
	if (staging.count() > maxImportedAnimals)
		throw new OperatorError(
			`${file} has more than ${toCountText(maxImportedAnimals)} animals; import them in several files. Nothing was imported.`,
		);
}

/** Throws if a line is bad. */
export function refuseProblems({ count, first }: ImportProblems): void {
	if (count === 0) return;
	for (const problem of first)
		say(`line ${problem.line}: ${problemToText(problem)}`);
	if (count > first.length)
		say(`and ${toCountText(count - first.length)} more`);
	throw new OperatorError(
		`${toQuantity(count, "error")}; nothing was imported.`,
	);
}

/** The bytes of the file, decompressed if it is a gzip file. */
async function* readChunks({
	file,
	isGzip,
	signal,
}: ImportedFile): AsyncGenerator<Uint8Array> {
	const raw: Readable =
		file === "-"
			? process.stdin
			: createReadStream(file, { highWaterMark: chunkBytes });
	const stream = isGzip ? pipeline(raw, createGunzip(), () => {}) : raw;
	try {
		yield* addAbortSignal(signal, stream);
	} catch (error) {
		signal.throwIfAborted();
		const name = file === "-" ? "stdin" : file;
		throw new OperatorError(
			`${name} cannot be read: ${toReason(error)}. Nothing was imported.`,
		);
	}
}

const chunkBytes = 256 * 1024;
