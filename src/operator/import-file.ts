// Imports a file of animals, all of them or none, for importPets and for the command. It reads the whole file first, so that the database is
// not locked, nor created, while the file is read.
import { setImmediate as nextIteration } from "node:timers/promises";
import type { Authored } from "../domain/author.ts";
import { Failure, restate } from "../domain/errors.ts";
import { type FileFormat, requireCsv } from "../domain/file-format.ts";
import { createSha256 } from "../domain/hash.ts";
import { toCountText } from "../domain/quantity.ts";
import { FormatError } from "../formats/columns.ts";
import {
	type FileUpdate,
	newPets,
	type RowKind,
	updates,
} from "../formats/pet.ts";
import {
	isProblems,
	type LineProblem,
	ofField,
	type Problems,
} from "../formats/problem.ts";
import { createReader, type ReadLine } from "../formats/reader.ts";
import {
	type FileLine,
	type ImportCounts,
	type Imported,
	type ImportMode,
	type ImportReads,
	type Imports,
	maxListedErrors,
} from "../store/import.ts";

export interface FileImport {
	readonly format: FileFormat;
	readonly ignoreUnknown: boolean;
	readonly update: boolean;
	readonly dryRun: boolean;
	readonly importId: string | undefined;
	/** Animals that the file may have. */
	readonly maxAnimals: number;
	readonly authored: Authored;
	/** Cancels the import, until the commit begins. */
	readonly signal: AbortSignal;
	/** Called with the number of animals that were read so far, and then of those that were written. */
	readonly onProgress: (count: number) => void;
}

/** Opens the database for the import, or for a dry run, which cannot write. */
export interface ImportTarget {
	readonly read: Use<ImportReads>;
	readonly write: Use<Imports>;
}

type Use<Opened> = (
	use: (opened: Opened) => Promise<Checked>,
) => Promise<Checked>;

/** A refused dry run says what the correct lines would do. */
type Checked = Imported & { readonly counts?: ImportCounts };

/** `hasIds`: whether lines of the file have ids. */
export type ImportedFile = Checked & { readonly hasIds: boolean };

export async function importFile(
	chunks: AsyncIterable<Uint8Array>,
	file: FileImport,
	target: ImportTarget,
): Promise<ImportedFile> {
	requireCsv(file.format, "ignoreUnknown", file.ignoreUnknown);
	try {
		const { hasIds, ...read } = await readFile(chunks, file);
		const done = await (file.dryRun
			? target.read((imports) => check(imports, read, file))
			: write(target, read, file));
		return { ...done, hasIds };
	} catch (error) {
		if (!(error instanceof FormatError)) throw error;
		const first = [{ line: error.line, message: error.message }];
		return { outcome: "refused", count: 1, first, hasIds: false };
	}
}

/** Throws a FormatError if the file cannot be read at all. */
async function readFile(
	chunks: AsyncIterable<Uint8Array>,
	{ format, update, ignoreUnknown, maxAnimals, onProgress }: FileImport,
) {
	const kind: RowKind<FileUpdate> = update ? updates : newPets;
	const reader = createReader(format, kind, ignoreUnknown);
	const hash = createSha256();
	const lines: FileLine[] = [];
	const lineOfId = new Map<bigint, number>();
	const first: LineProblem[] = [];
	let [count, badLines] = [0, 0];

	function refuse(line: number, problems: Problems): void {
		badLines++;
		count += problems.length;
		for (const problem of problems)
			if (first.length < maxListedErrors) first.push({ line, ...problem });
	}

	function add({ line, read }: ReadLine<FileUpdate>): void {
		const problems = isProblems(read) ? read : addPet(line, read);
		if (problems !== undefined) refuse(line, problems);
	}

	function addPet(line: number, pet: FileUpdate): Problems | undefined {
		const { id = 0n } = pet;
		const same = lineOfId.get(id);
		if (same !== undefined)
			return [ofField("id", id, `id is also the id of line ${same}.`)];
		if (id !== 0n) lineOfId.set(id, line);
		lines.push({ line, pet });
		return undefined;
	}

	function addAll(read: readonly ReadLine<FileUpdate>[]): void {
		read.forEach(add);
		if (lines.length + badLines > maxAnimals)
			throw new Failure(
				"payload_too_large",
				`The file has more than ${toCountText(maxAnimals)} animals. Nothing was done.`,
			);
		onProgress(lines.length);
	}

	for await (const chunk of chunks) {
		hash.update(chunk);
		addAll(reader.push(chunk));
		// Gives other requests a turn.
		await nextIteration();
	}
	addAll(reader.end());
	return {
		lines,
		contentHash: hash.digest("hex"),
		hasIds: reader.hasIds(),
		bad: { count, first },
	};
}

type ReadFile = Omit<Awaited<ReturnType<typeof readFile>>, "hasIds">;

async function check(
	imports: ImportReads,
	{ lines, contentHash, bad }: ReadFile,
	file: FileImport,
): Promise<Checked> {
	const { importId } = file;
	const isNamed = importId !== undefined && bad.count === 0;
	const finished = isNamed ? await imports.find(importId) : undefined;
	if (finished !== undefined)
		return {
			outcome: finished.contentHash === contentHash ? "repeated" : "reused",
			...finished,
		};
	const { problems, ...counts } = await imports.check(lines, toMode(file));
	const count = bad.count + problems.count;
	if (count === 0) return { outcome: "done", ...counts };
	const first = [...bad.first, ...problems.first]
		.sort((one, other) => one.line - other.line)
		.slice(0, maxListedErrors);
	return { outcome: "refused", count, first, counts };
}

async function write(
	target: ImportTarget,
	{ lines, contentHash, bad }: ReadFile,
	file: FileImport,
): Promise<Checked> {
	if (bad.count > 0) return { outcome: "refused", ...bad };
	return target.write((imports) =>
		imports
			.write(lines, { ...file, mode: toMode(file), contentHash })
			.catch((error) => {
				throw toWriteFailure(error, file.importId !== undefined);
			}),
	);
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

function toMode({ update }: FileImport): ImportMode {
	return update ? "update" : "add";
}
