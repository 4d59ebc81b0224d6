// Imports a file of animals, all of them or none, for importPets and for the command. It reads the whole file first, so that the database
// is not locked, nor created, while the file is read.

import type { Authored } from "../domain/access/author.ts";
import { pause } from "../domain/async.ts";
import { Failure, restate } from "../domain/errors.ts";
import {
	type FileFormat,
	maxIgnored,
	maxListedErrors,
} from "../domain/pet/file-format.ts";
import { toCountText } from "../domain/quantity.ts";
import { toComparable } from "../domain/text.ts";
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
import { collectSoon } from "../program.ts";
import { maxCategories } from "../store/animals/categories.ts";
import type { FileLine, Imported, Imports } from "../store/files/import.ts";

export interface FileImport {
	readonly format: FileFormat;
	readonly mode: ImportMode | undefined;
	readonly ignoreUnknown: boolean;
	readonly createCategories: boolean;
	readonly dryRun: boolean;
	readonly importId: string | undefined;
	/** Animals that the file may have. */
	readonly maxAnimals: number;
	readonly authored: Authored;
	/** The name of an option, as the caller gives it. */
	readonly toName: (
		option: "ignoreUnknown" | "createCategories" | ImportMode,
	) => string;
	/** Called with the number of animals that were read so far, and then of those that were written. */
	readonly onProgress: (count: number) => void;
}

/** Opens the database. The signal cancels the import, until the commit begins. */
type WithImports = (
	use: (imports: Imports, signal: AbortSignal) => Promise<Imported>,
) => Promise<Imported>;

export type ImportedFile = Imported & { readonly ignored: readonly Ignored[] };

/** An unknown member of NDJSON, and the number of lines that have it. */
interface Ignored {
	readonly name: string;
	readonly lines: number;
}

export async function importFile(
	chunks: AsyncIterable<Uint8Array>,
	file: FileImport,
	withImports: WithImports,
): Promise<ImportedFile> {
	if (file.ignoreUnknown && file.format !== "csv")
		throw new Failure(
			"invalid_parameter",
			`${file.toName("ignoreUnknown")} needs CSV.`,
		);
	try {
		const { lines, bad, contentHash, ignored } = await readFile(chunks, file);
		if (bad.count > 0 && !file.dryRun)
			return { outcome: "refused", ...bad, ignored };
		const imported = await withImports((imports, signal) => {
			const request = { ...file, contentHash, signal };
			if (file.dryRun) return imports.check(lines, request, bad);
			return imports.write(lines, request).catch((error) => {
				throw toWriteFailure(error, file.importId !== undefined);
			});
		});
		// Bun keeps values of a request until a later one.
		lines.length = 0;
		return { ...imported, ignored };
	} catch (error) {
		if (!(error instanceof FormatError)) throw error;
		const { line, remedy } = error;
		const hint = remedy ? ` ${file.toName(remedy)} skips others.` : "";
		const first = [{ line, message: error.message + hint }];
		return { outcome: "refused", count: 1, first, ignored: [] };
	}
}

const blockBytes = 256 * 1024;
/** Read until their garbage is collected. */
const maxUncollectedBytes = 8 * 1024 * 1024;

/** Joins small chunks, and splits large ones. The last block may be empty. */
async function* toBlocks(
	chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ block: Uint8Array; isLast: boolean }> {
	let parts: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of chunks)
		for (let at = 0; at < chunk.length; at += blockBytes) {
			const part = chunk.subarray(at, at + blockBytes);
			parts.push(part);
			bytes += part.length;
			if (bytes < blockBytes) continue;
			yield { block: Buffer.concat(parts), isLast: false };
			[parts, bytes] = [[], 0];
		}
	yield { block: Buffer.concat(parts), isLast: true };
}

/** Throws a FormatError if the file cannot be read at all. */
async function readFile(
	chunks: AsyncIterable<Uint8Array>,
	{ format, mode, ignoreUnknown, maxAnimals, toName, onProgress }: FileImport,
) {
	const hash = new Bun.SHA256();
	const lines: FileLine[] = [];
	const lineOfId = new Map<bigint, number>();
	const first: LineProblem[] = [];
	const ignored = new Map<string, number>();
	let [count, taken] = [0, 0];

	function refuse(line: number, problems: Problems): void {
		count += problems.length;
		for (const problem of problems)
			if (first.length < maxListedErrors) first.push({ line, ...problem });
	}

	function take({ line, read, ignored: names = [] }: ReadLine<FileUpdate>) {
		taken++;
		for (const name of names) {
			const lines = ignored.get(name) ?? 0;
			if (lines > 0 || ignored.size < maxIgnored) ignored.set(name, lines + 1);
		}
		if (taken > maxAnimals)
			throw new Failure(
				"payload_too_large",
				`The file has more than ${toCountText(maxAnimals)} animals and empty lines. Nothing was done.`,
			);
		if (read === undefined) return;
		const { id = 0n, category } = isProblems(read)
			? { category: undefined }
			: read;
		const same = lineOfId.get(id);
		if (isProblems(read)) refuse(line, read);
		else if (same !== undefined)
			refuse(line, [ofField("id", id, `id is also the id of line ${same}.`)]);
		else if (category === undefined) lines.push({ line, pet: read });
		else
			lines.push({ line, pet: { ...read, category: nameAs(line, category) } });
		if (id !== 0n) lineOfId.set(id, line);
	}

	/** A category as its first line writes it, by what `toComparable` makes of its name: the same text needs no more memory. */
	const named = new Map<string, string>();

	function nameAs(line: number, category: string): string {
		const compared = toComparable(category);
		const first = named.get(compared) ?? category;
		if (named.set(compared, first).size > maxCategories)
			throw new FormatError(
				line,
				`A file names at most ${toCountText(maxCategories)} categories.`,
			);
		return first;
	}

	const readBlock = createReader(
		format,
		toImported(mode, toName),
		ignoreUnknown,
	);
	let failure: unknown;
	let uncollected = 0;
	for await (const { block, isLast } of toBlocks(chunks)) {
		uncollected += block.length;
		if (uncollected > maxUncollectedBytes) {
			uncollected = 0;
			collectSoon();
		}
		// The rest of a request is still received, so that the caller can read the reply.
		if (failure !== undefined) continue;
		hash.update(block);
		try {
			for (const line of readBlock(block, isLast)) {
				take(line);
				await pause();
			}
			onProgress(lines.length);
		} catch (error) {
			failure = error;
		}
	}
	if (failure !== undefined) throw failure;
	// A line with an error may have one.
	const hasNoId = count === 0 && lines.length > 0 && lineOfId.size === 0;
	if (mode === "update" && hasNoId)
		throw new FormatError(
			1,
			`No line has an id, so there is nothing to update: import the file without ${toName("update")}.`,
		);
	return {
		lines,
		bad: { count, first },
		contentHash: hash.digest("hex"),
		ignored: [...ignored].map(([name, lines]) => ({
			name: name.slice(0, maxIgnoredLength).toWellFormed(),
			lines,
		})),
	};
}

/** Of the name of an unknown member, its beginning. */
const maxIgnoredLength = 40;

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
