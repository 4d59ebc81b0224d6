// Adds or updates the animals of a file in one transaction, or says what that would do. They are read and compared before, so that the
// transaction is short.
import { type Authored, withoutKeyName } from "../../domain/access/author.ts";
import { Failure } from "../../domain/errors.ts";
import { maxListedErrors } from "../../domain/pet/file-format.ts";
import type { GivenPet, StoredPet } from "../../domain/pet/pet.ts";
import { toCountText } from "../../domain/quantity.ts";
import { isVisible, toComparable } from "../../domain/text.ts";
import { minInt64 } from "../../domain/types/json.ts";
import type { FileUpdate } from "../../formats/pet.ts";
import { type LineProblem, ofField } from "../../formats/problem.ts";
import { insertPets } from "../animals/add.ts";
import {
	addCategories,
	findCategories,
	requireRoom,
} from "../animals/categories.ts";
import { findPets, maxChangedAnimals } from "../animals/change.ts";
import type { Plan, WritePlanned } from "../animals/planned.ts";
import type { Addition } from "../database/engine.ts";
import {
	first,
	inParts,
	insertRows,
	mayPause,
	type Row,
	toPlain,
	type Work,
} from "../database/sql.ts";
import { beginEdit, hasSameContent } from "../edits/edit.ts";
import { askWithState } from "../edits/totals.ts";
import type { Archive } from "./transfer.ts";

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
	/** The name of an option, as the caller gives it. */
	readonly toName: (option: "createCategories") => string;
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
	/** Names of animals in which nothing can be seen. */
	readonly blankNames: number;
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
	{ read }: Archive,
	writePlanned: WritePlanned,
	keepsHistory: boolean,
) {
	return {
		/** What an import would do. `wrong` lines are refused with those that conflict with animals. */
		check: (
			lines: readonly FileLine[],
			request: ImportRequest,
			wrong: ImportProblems = { count: 0, first: [] },
		): Promise<Imported> =>
			read(function* () {
				const finished = yield* findFinished(request);
				return (
					finished ?? (yield* compareLines(lines, request, wrong)).imported
				);
			}),

		/** Does all of it in one transaction, or nothing. */
		write: (
			lines: readonly FileLine[],
			options: ImportOptions,
		): Promise<Imported> =>
			writePlanned(
				() => planImport(lines, options, keepsHistory),
				options.signal,
			),
	};
}

function* planImport(
	lines: readonly FileLine[],
	options: ImportOptions,
	keepsHistory: boolean,
): Work<Plan<Imported>> {
	const finished = yield* findFinished(options);
	if (finished) return { result: finished };
	const compared = yield* compareLines(lines, options);
	const { imported, ids, lineOf, changing, unknown } = compared;
	if (imported.outcome !== "done") return { result: imported };
	const problems = new Map<bigint, LineProblem>();

	return {
		follow(id, pet) {
			const line = lineOf.get(id);
			if (line === undefined) return;
			problems.delete(id);
			changing.delete(id);
			const again = compare([line], compared, new Map(pet && [[id, pet]]));
			for (const problem of again.problems) problems.set(id, problem);
			for (const { before } of again.changed) changing.set(id, before);
		},
		*write() {
			const finished = yield* findFinished(options);
			if (finished) return { result: finished };
			const now = yield* findCategories(ids.keys());
			// Categories are not in the feed.
			for (const [name, id] of ids)
				if ((now.get(name) ?? noCategory) !== id) return undefined;
			if (problems.size > 0) {
				const found = addProblems(none, [...problems.values()]);
				return { result: { outcome: "refused", ...found } };
			}
			yield* requireRoom(unknown.size);
			const made = yield* writeImport(lines, compared, options, keepsHistory);
			return { result: { ...imported, ...made } };
		},
	};
}

function* writeImport(
	lines: readonly FileLine[],
	compared: Compared,
	{ importId, contentHash, authored, onProgress }: ImportOptions,
	keepsHistory: boolean,
) {
	const { ids, unknown, lineOf, changing } = compared;
	const { by, at } = authored;
	const origin = { at, by: withoutKeyName(by) };
	const history = keepsHistory ? authored : undefined;
	const edit = yield* beginEdit(history, { kind: "imported" });
	for (const [name, id] of yield* addCategories(unknown)) ids.set(name, id);
	const unchanged = lineOf.size - changing.size;
	let count = unchanged;
	for (const part of inParts([...changing])) {
		yield mayPause;
		const found = yield* findPets(
			part.flatMap(([id, pet]) => (pet ? [] : [id])),
		);
		for (const [id, pet] of part) if (pet) found.set(id, pet);
		const some = part.flatMap(([id]) => lineOf.get(id) ?? []);
		yield* edit.write(compare(some, compared, found).changed);
		count += part.length;
		onProgress(count);
	}
	// After all changes, so that the new ids are consecutive.
	const others = lines.filter(({ pet }) => pet.id === undefined);
	let { last } = yield* askWithState();
	for (const part of inParts(others)) {
		yield mayPause;
		const { added } = compare(part, compared, new Map());
		const additions = added.map((pet): Addition => ({ pet, origin }));
		yield* insertPets(additions, last, edit.petTotals);
		last += BigInt(part.length);
		count += part.length;
		onProgress(count);
	}
	const [added, changed] = [others.length, changing.size];
	const animals = added + changed;
	if (importId !== undefined)
		yield* insertRows("imports", [
			{ id: importId, animals, finishedAt: at, contentHash },
		]);
	const { edit: id } = yield* edit.end(added);
	return { added, changed, unchanged, edit: id };
}

/** The import that had this id. */
function* findFinished({
	importId,
	contentHash,
}: ImportRequest): Work<Imported | undefined> {
	const finished = yield* first<Row>(
		"find import",
		`SELECT animals, finished_at AS "finishedAt", content_hash AS "contentHash" FROM imports WHERE id = $1`,
		[importId ?? null],
	);
	if (finished === undefined) return undefined;
	if (finished.contentHash !== contentHash)
		throw new Failure(
			"conflict",
			"The import id was used for another file; choose another one. Nothing was done.",
		);
	return { outcome: "repeated", ...toPlain<FinishedImport>(finished) };
}

/** The lines of a file, compared with the database. */
interface Compared extends NamedCategories {
	readonly imported: Imported;
	/** Those with an id. */
	readonly lineOf: ReadonlyMap<bigint, FileLine>;
	/** The animals that change, as they were; undefined for those that would need too much memory, which are read again. */
	readonly changing: Map<bigint, StoredPet | undefined>;
}

function* compareLines(
	lines: readonly FileLine[],
	{ createCategories, toName }: ImportRequest,
	/** Of a check. */
	wrong?: ImportProblems,
): Work<Compared> {
	const named = yield* findNamed(lines);
	const { ids, unknown } = named;
	if (createCategories) yield* requireRoom(unknown.size);
	const others = [...unknown.values()];
	const createdCategories = createCategories
		? others.map(({ name }) => name)
		: [];
	const counts = {
		...{ added: 0, changed: 0, unchanged: 0, blankNames: 0 },
		createdCategories,
	};
	let problems = wrong ?? none;
	if (!createCategories)
		problems = addProblems(
			problems,
			others
				.slice(0, maxListedErrors)
				.map((one) => refuseCategory(one, toName("createCategories"))),
			others.length,
		);
	else for (const name of unknown.keys()) ids.set(name, noCategory);
	const lineOf = new Map<bigint, FileLine>();
	const changing: Compared["changing"] = new Map();
	for (const part of inParts(lines)) {
		yield mayPause;
		for (const line of part)
			if (line.pet.id !== undefined) lineOf.set(line.pet.id, line);
		const found = yield* findPets(part.flatMap(({ pet }) => pet.id ?? []));
		const plan = compare(part, named, found);
		counts.added += plan.added.length;
		counts.changed += plan.changed.length;
		counts.unchanged += plan.unchanged;
		for (const { pet } of part)
			if (pet.name !== undefined && !isVisible(pet.name)) counts.blankNames++;
		problems = addProblems(problems, plan.problems);
		for (const { before } of plan.changed)
			changing.set(
				before.id,
				changing.size < maxChangedAnimals ? before : undefined,
			);
	}
	const ofCheck = wrong ? { counts } : {};
	const imported: Imported =
		problems.count === 0
			? { outcome: "done", ...counts }
			: { outcome: "refused", ...problems, ...ofCheck };
	return { imported, ...named, lineOf, changing };
}

/** The id of a category that is not made yet. No animal has it. */
const noCategory = minInt64 - 1n;

const none: ImportProblems = { count: 0, first: [] };

function addProblems(
	{ count, first }: ImportProblems,
	more: readonly LineProblem[],
	total = more.length,
): ImportProblems {
	return {
		count: count + total,
		first: [...first, ...more]
			.sort((one, other) => one.line - other.line)
			.slice(0, maxListedErrors),
	};
}

interface NamedCategories {
	/** What `toComparable` makes of each name. */
	readonly comparable: ReadonlyMap<string, string>;
	/** By their comparable names. */
	readonly ids: Map<string, bigint>;
	readonly unknown: ReadonlyMap<string, NamedCategory>;
}

interface NamedCategory {
	/** As its first line writes it. */
	readonly name: string;
	readonly line: number;
	/** Lines that name it. */
	count: number;
}

/** The categories of the lines: the ids of those that exist, and those that do not. */
function* findNamed(lines: readonly FileLine[]): Work<NamedCategories> {
	const comparable = new Map<string, string>();
	const unknown = new Map<string, NamedCategory>();
	for (const { line, pet } of lines) {
		const { category: name } = pet;
		yield mayPause;
		if (name === undefined) continue;
		const compared = comparable.get(name) ?? toComparable(name);
		comparable.set(name, compared);
		const found = unknown.get(compared);
		if (found) found.count++;
		else unknown.set(compared, { name, line, count: 1 });
	}
	const ids = new Map<string, bigint>();
	for (const part of inParts([...unknown.keys()]))
		for (const [name, id] of yield* findCategories(part)) ids.set(name, id);
	for (const name of ids.keys()) unknown.delete(name);
	return { comparable, ids, unknown };
}

function refuseCategory(
	{ name, line, count }: NamedCategory,
	option: string,
): LineProblem {
	const lines = count > 1 ? `, and is on ${toCountText(count)} lines` : "";
	const message = `category does not exist${lines}; the import can make it (${option}).`;
	return { line, ...ofField("category", name, message) };
}

/** Compares lines with the animals that they name. Leaves out those whose category is unknown. */
function compare(
	lines: readonly FileLine[],
	{ comparable, ids }: NamedCategories,
	found: ReadonlyMap<bigint, StoredPet>,
) {
	const problems: LineProblem[] = [];
	const added: GivenPet[] = [];
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
				: ids.get(comparable.get(category) ?? "");
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
		else if (before === undefined) added.push(set as GivenPet);
		else {
			const after = { ...before, ...set };
			if (hasSameContent(before, after)) unchanged++;
			else changed.push({ before, after });
		}
	}
	return { problems, added, changed, unchanged };
}
