// Adds or updates the animals of a file in one transaction, or says what that would do. They are read before, so that the transaction is short.
import { type Authored, withoutKeyName } from "../domain/author.ts";
import { Failure } from "../domain/errors.ts";
import { minInt64 } from "../domain/json.ts";
import type { NewPet, StoredPet } from "../domain/pet.ts";
import { toCountText } from "../domain/quantity.ts";
import { toComparable } from "../domain/text.ts";
import type { FileUpdate } from "../formats/pet.ts";
import { type LineProblem, ofField } from "../formats/problem.ts";
import { type Addition, insertPets } from "./adds.ts";
import { addCategory, findCategories, requireRoom } from "./categories.ts";
import { findPets } from "./changes.ts";
import { beginEdit, hasSameContent } from "./edit.ts";
import {
	first,
	inParts,
	insertRows,
	type Row,
	toPlain,
	untilAborted,
	type Work,
} from "./sql.ts";
import type { Archive } from "./transfer.ts";

/** Errors of an imported file that are listed; further ones are only counted. */
export const maxListedErrors = 100;

/** A line with an id changes that animal, and one without adds an animal. */
export interface FileLine {
	/** From 1. */
	readonly line: number;
	readonly pet: FileUpdate;
}

/** What an import is, whether it is done or only checked. */
interface ImportRequest {
	/** Whether categories are made for unknown names. */
	readonly createCategories: boolean;
	/** An import with a stored id adds nothing. */
	readonly importId: string | undefined;
	/** SHA-256 of the file. Stored with `importId`. */
	readonly contentHash: string;
}

export interface ImportOptions extends ImportRequest {
	readonly authored: Authored;
	/** Called with the number of lines so far. */
	readonly onProgress: (count: number) => void;
	/** Cancels it, until the commit begins. */
	readonly signal: AbortSignal;
}

export type Imported =
	| ({
			readonly outcome: "done";
			/** Undefined if nothing had to be done. */
			readonly edit?: bigint | undefined;
	  } & ImportCounts)
	| ({ readonly outcome: "repeated" } & FinishedImport)
	| ({
			readonly outcome: "refused";
			/** What the other lines would do. Only of a check. */
			readonly counts?: ImportCounts;
	  } & ImportProblems);

export interface ImportCounts {
	readonly added: number;
	readonly changed: number;
	readonly unchanged: number;
	/** Names of categories that the import makes. */
	readonly createdCategories: readonly string[];
}

/** Lines that conflict with the animals of the database. */
interface ImportProblems {
	readonly count: number;
	/** At most `maxListedErrors`, by line. */
	readonly first: readonly LineProblem[];
}

interface FinishedImport {
	/** Added or changed. */
	readonly animals: number;
	readonly finishedAt: number;
}

export type Imports = ReturnType<typeof openImports>;

export function openImports(
	{ read, write }: Pick<Archive, "read" | "write">,
	keepsHistory: boolean,
) {
	return {
		/** What an import would do. `wrong` lines are refused with those that conflict with animals. */
		check: (
			lines: readonly FileLine[],
			request: ImportRequest,
			wrong: ImportProblems = { count: 0, first: [] },
		): Promise<Imported> => read(() => planImport(lines, request, wrong)),

		/** Does all of it in one transaction, or nothing. */
		write: (
			lines: readonly FileLine[],
			options: ImportOptions,
		): Promise<Imported> =>
			write(() =>
				untilAborted(options.signal, writeImport(lines, options, keepsHistory)),
			),
	};
}

/** Plans everything before the first write, and then once more in parts: a whole plan would need much memory. */
function* writeImport(
	lines: readonly FileLine[],
	options: ImportOptions,
	keepsHistory: boolean,
): Work<Imported> {
	const planned = yield* planImport(lines, options);
	if (planned.outcome !== "done") return planned;
	const { importId, contentHash, authored, onProgress } = options;
	const { by, at } = authored;
	const origin = { at, by: withoutKeyName(by) };
	const history = keepsHistory ? authored : undefined;
	const edit = yield* beginEdit(history, { kind: "imported" });
	const { ids, unknown } = yield* findNamed(lines);
	for (const [compared, { name }] of unknown)
		ids.set(compared, (yield* addCategory(name)).id);
	const added: Addition[] = [];
	let count = 0;
	for (const part of inParts(lines)) {
		const plan = yield* toPlan(part, ids);
		for (const pet of plan.added) added.push({ pet, origin });
		yield* edit.write(plan.changed);
		count += plan.changed.length + plan.unchanged;
		onProgress(count);
	}
	// After all changes, so that the new ids are consecutive.
	for (const part of inParts(added)) {
		yield* insertPets(part, edit.counts);
		count += part.length;
		onProgress(count);
	}
	const animals = planned.added + planned.changed;
	if (importId !== undefined)
		yield* insertRows("imports", [
			{ id: importId, animals, finishedAt: at, contentHash },
		]);
	const { edit: id } = yield* edit.end(added.length);
	return { ...planned, edit: id };
}

function* planImport(
	lines: readonly FileLine[],
	request: ImportRequest,
	/** Of a check. */
	wrong?: ImportProblems,
): Work<Imported> {
	const { importId, contentHash, createCategories } = request;
	const finished = yield* first<Row>(
		"find import",
		`SELECT animals, finished_at AS "finishedAt", content_hash AS "contentHash" FROM imports WHERE id = $1`,
		[importId ?? null],
	);
	if (finished !== undefined && finished.contentHash !== contentHash)
		throw new Failure(
			"conflict",
			"The import id was used for another file; choose another one. Nothing was done.",
		);
	if (finished !== undefined)
		return { outcome: "repeated", ...toPlain<FinishedImport>(finished) };
	const { ids, unknown } = yield* findNamed(lines);
	if (createCategories) yield* requireRoom(unknown.size);
	const others = [...unknown.values()];
	const createdCategories = createCategories
		? others.map(({ name }) => name)
		: [];
	const counts = { added: 0, changed: 0, unchanged: 0, createdCategories };
	let { count, first: known } = wrong ?? { count: 0, first: [] };
	const refuse = (problems: readonly LineProblem[]) => {
		count += problems.length;
		known = [...known, ...problems]
			.sort((one, other) => one.line - other.line)
			.slice(0, maxListedErrors);
	};
	if (!createCategories) refuse(others.map(refuseCategory));
	// No animal has this id.
	else for (const name of unknown.keys()) ids.set(name, minInt64 - 1n);
	for (const part of inParts(lines)) {
		const plan = yield* toPlan(part, ids);
		counts.added += plan.added.length;
		counts.changed += plan.changed.length;
		counts.unchanged += plan.unchanged;
		refuse(plan.problems);
	}
	if (count === 0) return { outcome: "done", ...counts };
	const ofCheck = wrong ? { counts } : {};
	return { outcome: "refused", count, first: known, ...ofCheck };
}

interface NamedCategory {
	/** As its first line writes it. */
	readonly name: string;
	readonly line: number;
	/** Lines that name it. */
	count: number;
}

/** The categories of the lines, by their comparable names: the ids of those that exist, and those that do not. */
function* findNamed(lines: readonly FileLine[]) {
	const unknown = new Map<string, NamedCategory>();
	for (const { line, pet } of lines) {
		const { category: name } = pet;
		if (name === undefined) continue;
		const compared = toComparable(name);
		const found = unknown.get(compared);
		if (found) found.count++;
		else unknown.set(compared, { name, line, count: 1 });
	}
	const ids = yield* findCategories([...unknown.keys()]);
	for (const name of ids.keys()) unknown.delete(name);
	return { ids, unknown };
}

function refuseCategory({ name, line, count }: NamedCategory): LineProblem {
	const lines = count > 1 ? `, and is on ${toCountText(count)} lines` : "";
	const message = `category does not exist${lines}; the import can make it (--create-categories).`;
	return { line, ...ofField("category", name, message) };
}

/** Compares lines with the animals of the database. Leaves out those whose category is unknown. */
function* toPlan(
	lines: readonly FileLine[],
	categories: ReadonlyMap<string, bigint>,
) {
	const found = yield* findPets(lines.flatMap(({ pet }) => pet.id ?? []));
	const problems: LineProblem[] = [];
	const added: NewPet[] = [];
	const changed: { before: StoredPet; after: StoredPet }[] = [];
	let unchanged = 0;
	const refuse = (
		{ line, pet }: FileLine,
		field: "id" | "version",
		message: string,
	) => problems.push({ line, ...ofField(field, pet[field], message) });
	for (const line of lines) {
		const { id, version, category, ...given } = line.pet;
		const before = found.get(id ?? 0n);
		const categoryId =
			category === undefined
				? given.categoryId
				: categories.get(toComparable(category));
		const set = categoryId === undefined ? given : { ...given, categoryId };
		if (id !== undefined && before === undefined)
			refuse(line, "id", "id belongs to no animal.");
		else if ((version ?? before?.version) !== before?.version)
			refuse(
				line,
				"version",
				`version is ${before?.version} now: the animal was changed since the export.`,
			);
		else if (category !== undefined && categoryId === undefined) continue;
		else if (before === undefined) added.push(set as NewPet);
		else {
			const after = { ...before, ...set };
			if (hasSameContent(before, after)) unchanged++;
			else changed.push({ before, after });
		}
	}
	return { problems, added, changed, unchanged };
}
