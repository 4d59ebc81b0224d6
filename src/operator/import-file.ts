// Imports a file of animals, all of them or none, for importPets and for the command. It reads the whole file first, so that the database is
// not locked, nor created, while the file is read.
import { nextTurn } from "../domain/async.ts";
import type { Authored } from "../domain/author.ts";
import { Failure, restate } from "../domain/errors.ts";
import type { FileFormat } from "../domain/file-format.ts";
import { toCountText } from "../domain/quantity.ts";
import {
	type FileUpdate,
	type ImportMode,
	toImported,
} from "../formats/pet.ts";
import {
	FormatError,
	isProblems,
	type LineProblem,
	ofField,
	type Problems,
} from "../formats/problem.ts";
import { createReader, type ReadLine } from "../formats/reader.ts";
import {
	type FileLine,
	type Imported,
	type Imports,
	maxListedErrors,
} from "../store/import.ts";

interface FileImport {
	readonly format: FileFormat;
	readonly mode: ImportMode | undefined;
	readonly ignoreUnknown: boolean;
	readonly createCategories: boolean;
	readonly dryRun: boolean;
	readonly importId: string | undefined;
	/** Animals that the file may have. */
	readonly maxAnimals: number;
	readonly authored: Authored;
	/** Called with the number of animals that were read so far, and then of those that were written. */
	readonly onProgress: (count: number) => void;
}

/** Opens the database. The signal cancels the import, until the commit begins. */
type WithImports = (
	use: (imports: Imports, signal: AbortSignal) => Promise<Imported>,
) => Promise<Imported>;

export async function importFile(
	chunks: AsyncIterable<Uint8Array>,
	file: FileImport,
	withImports: WithImports,
): Promise<Imported> {
	if (file.ignoreUnknown && file.format !== "csv")
		throw new Failure(
			"invalid_parameter",
			"--ignore-unknown (ignoreUnknown) needs CSV.",
		);
	try {
		const { lines, bad, contentHash } = await readFile(chunks, file);
		if (bad.count > 0 && !file.dryRun) return { outcome: "refused", ...bad };
		return await withImports((imports, signal) => {
			const request = { ...file, contentHash, signal };
			if (file.dryRun) return imports.check(lines, request, bad);
			return imports.write(lines, request).catch((error) => {
				throw toWriteFailure(error, file.importId !== undefined);
			});
		});
	} catch (error) {
		if (!(error instanceof FormatError)) throw error;
		const first = [{ line: error.line, message: error.message }];
		return { outcome: "refused", count: 1, first };
	}
}

const blockBytes = 256 * 1024;

/** Joins small chunks. The last block may be empty. */
async function* toBlocks(
	chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ block: Uint8Array; isLast: boolean }> {
	let parts: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of chunks) {
		parts.push(chunk);
		bytes += chunk.length;
		if (bytes < blockBytes) continue;
		yield { block: Buffer.concat(parts), isLast: false };
		[parts, bytes] = [[], 0];
	}
	yield { block: Buffer.concat(parts), isLast: true };
}

/** Lines that are read before other requests are answered. */
const readAtOnce = 250;

/** Throws a FormatError if the file cannot be read at all. */
async function readFile(
	chunks: AsyncIterable<Uint8Array>,
	{ format, mode, ignoreUnknown, maxAnimals, onProgress }: FileImport,
) {
	const hash = new Bun.SHA256();
	const lines: FileLine[] = [];
	const lineOfId = new Map<bigint, number>();
	const first: LineProblem[] = [];
	let [count, taken] = [0, 0];

	function refuse(line: number, problems: Problems): void {
		count += problems.length;
		for (const problem of problems)
			if (first.length < maxListedErrors) first.push({ line, ...problem });
	}

	async function take({ line, read }: ReadLine<FileUpdate>): Promise<void> {
		taken++;
		const { id = 0n } = isProblems(read) ? {} : read;
		const same = lineOfId.get(id);
		if (isProblems(read)) refuse(line, read);
		else if (same !== undefined)
			refuse(line, [ofField("id", id, `id is also the id of line ${same}.`)]);
		else lines.push({ line, pet: read });
		if (id !== 0n) lineOfId.set(id, line);
		if (taken > maxAnimals)
			throw new Failure(
				"payload_too_large",
				`The file has more than ${toCountText(maxAnimals)} animals. Nothing was done.`,
			);
		if (taken % readAtOnce === 0) {
			onProgress(lines.length);
			await nextTurn();
		}
	}

	const readBlock = createReader(format, toImported(mode), ignoreUnknown);
	let failure: unknown;
	for await (const { block, isLast } of toBlocks(chunks)) {
		// The rest of a request is still received, so that the caller can read the reply.
		if (failure !== undefined) continue;
		hash.update(block);
		try {
			for (const line of readBlock(block, isLast)) await take(line);
		} catch (error) {
			failure = error;
		}
	}
	if (failure !== undefined) throw failure;
	if (mode === "update" && lines.length > 0 && lineOfId.size === 0)
		throw new FormatError(
			1,
			"No line has an id, so there is nothing to update: import the file without --update (mode).",
		);
	return { lines, bad: { count, first }, contentHash: hash.digest("hex") };
}

/** It may be repeated with an import id. */
function toWriteFailure(error: unknown, mayRepeat: boolean): unknown {
	const next = mayRepeat
		? "repeat it with the same import id."
		: "look before you repeat it. With an import id it could be repeated safely.";
	return restate(
		error,
		"The store cannot answer now. Nothing was imported; try again.",
		`It is not known whether the file was imported: all of it was, or nothing; ${next}`,
		{ mayRepeat },
	);
}
