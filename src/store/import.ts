// Adds or updates the animals of a file in one transaction, or says what that would do. They are read before, so that the transaction is short.
import { type Authored, toAuthorText } from "../domain/author.ts";
import { OperatorError } from "../domain/errors.ts";
import { givenNames, type NewPet, type StoredPet } from "../domain/pet.ts";
import type { FileUpdate } from "../formats/pet.ts";
import { type LineProblem, ofField } from "../formats/problem.ts";
import { type Addition, insertPets } from "./adds.ts";
import { beginEdit, findPets } from "./changes.ts";
import type { Engine } from "./engine.ts";
import { first, insertRows, type Row, toPlain, type Work } from "./sql.ts";
import type { Archive } from "./transfer.ts";

/** Errors of an imported file that are listed; further ones are only counted. */
export const maxListedErrors = 100;
/** Lines that are planned and written at once. Signals and the progress wait that long. */
export const importRows = 1_000;

/** All animals of a file get new ids, or a line with an id changes that animal. */
export type ImportMode = "add" | "update";

export interface FileLine {
	/** From 1. */
	readonly line: number;
	readonly pet: FileUpdate;
}

export interface ImportOptions {
	readonly mode: ImportMode;
	/** An import with a stored id adds nothing. */
	readonly importId: string | undefined;
	/** SHA-256 of the file. Stored with `importId`. */
	readonly contentHash: string;
	readonly authored: Authored;
	/** Called with the number of lines so far. */
	readonly onProgress: (count: number) => void;
	/** Cancels the import, until the commit begins. Its reason must be a Failure or an OperatorError. */
	readonly signal: AbortSignal;
}

export type Imported =
	| ({
			readonly outcome: "done";
			/** Undefined if nothing had to be done, or no history is kept. */
			readonly edit?: bigint | undefined;
	  } & ImportCounts)
	| ({ readonly outcome: "repeated" } & FinishedImport)
	/** The import id was used for another file. */
	| ({ readonly outcome: "reused" } & FinishedImport)
	| ({ readonly outcome: "refused" } & ImportProblems);

export interface ImportCounts {
	readonly added: number;
	readonly changed: number;
	readonly unchanged: number;
}

/** Lines that conflict with the animals of the database. */
export interface ImportProblems {
	readonly count: number;
	/** At most `maxListedErrors`, by line. */
	readonly first: readonly LineProblem[];
}

export interface ImportCheck extends ImportCounts {
	readonly problems: ImportProblems;
}

export interface FinishedImport {
	/** Added or changed. */
	readonly animals: number;
	readonly finishedAt: number;
	readonly contentHash: string;
}

export type Imports = ReturnType<typeof openImports>;
/** Of a dry run. */
export type ImportReads = Pick<Imports, "find" | "check">;

export function openImports(
	{ read }: Engine,
	archive: Pick<Archive, "read" | "write">,
	keepsHistory: boolean,
) {
	return {
		/** The result of the import with this id; undefined if none has this id. */
		find: async (importId: string): Promise<FinishedImport | undefined> =>
			read(() => findImport(importId)),

		/** What an import would do. */
		check: (
			lines: readonly FileLine[],
			mode: ImportMode,
		): Promise<ImportCheck> => archive.read(() => planAll(lines, mode)),

		/** Does all of it in one transaction, or nothing. */
		write: (
			lines: readonly FileLine[],
			options: ImportOptions,
		): Promise<Imported> =>
			archive
				.write(() => writeImport(lines, options, keepsHistory))
				.catch((error) => {
					if (error instanceof Refusal) return error.imported;
					throw error;
				}),
	};
}

function* findImport(id: string): Work<FinishedImport | undefined> {
	const row = yield* first<Row>(
		`SELECT animals, finished_at AS "finishedAt", content_hash AS "contentHash" FROM imports WHERE id = $1`,
		[id],
	);
	return row && toPlain(row);
}

/** Rolls everything back. */
class Refusal extends OperatorError {
	readonly imported: Imported;

	constructor(imported: Imported) {
		super(imported.outcome);
		this.imported = imported;
	}
}

/** Throws a Refusal, unless the outcome is "done". */
function* writeImport(
	lines: readonly FileLine[],
	{ mode, importId, contentHash, authored, onProgress, signal }: ImportOptions,
	keepsHistory: boolean,
): Work<Imported> {
	const finished = importId && (yield* findImport(importId));
	if (finished)
		throw new Refusal({
			outcome: finished.contentHash === contentHash ? "repeated" : "reused",
			...finished,
		});
	const { by, at } = authored;
	const origin = { at, by: toAuthorText(by) };
	const history = keepsHistory ? authored : undefined;
	const edit = yield* beginEdit("imported", history);
	const added: Addition[] = [];
	const { problems, ...sums } = yield* planAll(
		lines,
		mode,
		function* (plan, done) {
			for (const pet of plan.added) added.push({ pet, origin });
			yield* edit.write(plan.changed);
			onProgress(done - added.length);
			signal.throwIfAborted();
		},
	);
	if (problems.count > 0)
		throw new Refusal({ outcome: "refused", ...problems });
	// After all changes, so that the new ids are consecutive.
	for (let done = 0; done < added.length; done += importRows) {
		const part = added.slice(done, done + importRows);
		yield* insertPets(part, edit.counts);
		onProgress(lines.length - added.length + done + part.length);
		signal.throwIfAborted();
	}
	const animals = sums.added + sums.changed;
	if (importId !== undefined)
		yield* insertRows("imports", [
			{ id: importId, animals, finishedAt: at, contentHash },
		]);
	return { outcome: "done", ...sums, edit: yield* edit.end(added.length) };
}

/** After a problem it writes nothing more, but finds the other problems. */
function* planAll(
	lines: readonly FileLine[],
	mode: ImportMode,
	write?: (plan: Plan, done: number) => Work<void>,
): Work<ImportCheck> {
	let [added, changed, unchanged, count] = [0, 0, 0, 0];
	const listed: LineProblem[] = [];
	for (let done = 0; done < lines.length; done += importRows) {
		const part = lines.slice(done, done + importRows);
		const plan = yield* toPlan(mode, part);
		added += plan.added.length;
		changed += plan.changed.length;
		unchanged += plan.unchanged;
		count += plan.problems.length;
		listed.push(...plan.problems.slice(0, maxListedErrors - listed.length));
		if (write && count === 0) yield* write(plan, done + part.length);
	}
	return { added, changed, unchanged, problems: { count, first: listed } };
}

interface Plan {
	readonly problems: readonly LineProblem[];
	readonly added: readonly NewPet[];
	readonly changed: readonly { before: StoredPet; after: StoredPet }[];
	readonly unchanged: number;
}

/** Compares lines with the animals of the database. */
function* toPlan(mode: ImportMode, lines: readonly FileLine[]): Work<Plan> {
	const ids = mode === "add" ? [] : lines.flatMap(({ pet }) => pet.id ?? []);
	const found = yield* findPets(ids);
	const problems: LineProblem[] = [];
	const added: NewPet[] = [];
	const changed: Plan["changed"][number][] = [];
	let unchanged = 0;
	const refuse = (
		{ line, pet }: FileLine,
		field: "id" | "version",
		message: string,
	) => problems.push({ line, ...ofField(field, pet[field], message) });
	for (const line of lines) {
		const { id, version, ...set } = line.pet;
		const before = found.get(id ?? 0n);
		if (mode === "add" || id === undefined) added.push(set as NewPet);
		else if (before === undefined)
			refuse(line, "id", "id belongs to no animal.");
		else if (version !== undefined && version !== before.version)
			refuse(
				line,
				"version",
				`version must be ${before.version}: the animal was changed.`,
			);
		else {
			const after = { ...before, ...set };
			if (givenNames.every((name) => before[name] === after[name])) unchanged++;
			else changed.push({ before, after });
		}
	}
	return { problems, added, changed, unchanged };
}
