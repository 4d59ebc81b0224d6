// Edits: everything that one request, command or import changed, and the way back, in one transaction.
import type { Authored } from "../../domain/access/author.ts";
import { Failure } from "../../domain/errors.ts";
import type { EditKind } from "../../domain/pet/change-kinds.ts";
import { type StoredPet, toContent } from "../../domain/pet/pet.ts";
import { maxChangedAnimals } from "../animals/change.ts";
import {
	type Plan,
	pack,
	unpack,
	type WritePlanned,
} from "../animals/planned.ts";
import type { Engine } from "../database/engine.ts";
import {
	all,
	first,
	mayPause,
	partRows,
	run,
	type Work,
} from "../database/sql.ts";
import { selectLast } from "../database/state.ts";
import { toSelected } from "../database/tables.ts";
import { beginEdit, hasSameContent, type Replaced } from "../edits/edit.ts";
import {
	findNext,
	findVersions,
	type HistoryRow,
	selectHistory,
	toBefore,
} from "./history.ts";

/** Skipped animals that are named. */
export const maxSkipped = 100;

export interface Edit {
	readonly id: bigint;
	readonly at: number;
	readonly by: string;
	readonly kind: EditKind;
	readonly added: number;
	readonly changed: number;
	readonly removed: number;
	/** The ids of the animals that an import added, which have no entries in the history. */
	readonly addedIds: { readonly from: bigint; readonly to: bigint } | undefined;
	readonly undoneBy: bigint | undefined;
	readonly undoes: bigint | undefined;
}

export interface Undo {
	readonly id: bigint;
	readonly authored: Authored;
	/** More animals are refused. */
	readonly maxAnimals: number;
	/** If true, each later change of an animal counts, even one back to the same content, and after a restore nothing is undone. */
	readonly untouched?: boolean;
}

export interface Undone {
	readonly edit: Edit;
	/** Animals that were changed since, and stay as they are: the first, and the number of all. */
	readonly skipped: readonly bigint[];
	readonly skippedTotal: number;
}

export function openEdits(
	{ read }: Engine,
	writePlanned: WritePlanned,
	keepsHistory: boolean,
) {
	return {
		find: async (id: bigint): Promise<Edit | undefined> =>
			read(() => findEdit(id)),
		/** The newest first, up to the id `maxId`. */
		list: async (maxId: bigint, limit: number): Promise<readonly Edit[]> =>
			(
				await read(() =>
					all<EditRow>(
						"list edits",
						`${select} WHERE id <= $1 ORDER BY id DESC LIMIT $2 + 0`,
						[maxId, limit],
					),
				)
			).map(toEdit),
		/** Throws `conflict` if nothing can be undone. Undefined if there never was such an edit. */
		async undo(undo: Undo, signal: AbortSignal): Promise<Undone | undefined> {
			if (!keepsHistory) throw refuse("No history is kept");
			return writePlanned(() => planUndo(undo), signal);
		},
	};
}

type EditRow = Omit<Edit, "at" | "by" | "addedIds"> &
	Readonly<Record<"at" | "added" | "changed" | "removed", bigint>> & {
		readonly author: string;
	};

const select = `SELECT ${toSelected("edits")} FROM edits`;

function* findEdit(id: bigint): Work<Edit | undefined> {
	const row = yield* first<EditRow>("find edit", `${select} WHERE id = $1`, [
		id,
	]);
	return row && toEdit(row);
}

function toEdit(row: EditRow): Edit {
	const from = row.id + row.changed;
	const hasIds = row.kind === "imported" && row.added > 0n;
	return {
		...row,
		at: Number(row.at),
		by: row.author,
		added: Number(row.added),
		changed: Number(row.changed),
		removed: Number(row.removed),
		addedIds: hasIds ? { from, to: from + row.added - 1n } : undefined,
		undoes: row.undoes ?? undefined,
		undoneBy: row.undoneBy ?? undefined,
	};
}

function refuse(reason: string): Failure {
	return new Failure("conflict", `${reason}. Nothing was undone.`);
}

function* planUndo(undo: Undo): Work<Plan<Undone | undefined>> {
	const edit = yield* findUndoable(undo);
	if (edit === undefined) return { result: undefined };
	const total = countAnimals(edit);
	// Only a command undoes more. They would need much memory, so that they are read with the lock, in parts.
	const isPlanned = total <= maxChangedAnimals;
	const parts: Buffer[] = [];
	const planned = new Set<bigint>();
	let isAnyLeft = !isPlanned;
	for (let done = 0; isPlanned && done < total; done += partRows) {
		const steps = yield* readSteps(undo, edit, done);
		parts.push(pack(steps));
		for (const { petId } of steps) planned.add(petId);
		isAnyLeft ||= steps.some((step) => toReplaced(step) !== undefined);
	}
	if (!isAnyLeft) throw nothingLeft;
	/** What others have changed since. */
	const later = new Map<bigint, StoredPet | undefined>();

	return {
		follow(id, pet) {
			if (planned.has(id)) later.set(id, pet);
		},
		*write() {
			yield* findUndoable(undo);
			const { id: undoes } = edit;
			const made = yield* beginEdit(undo.authored, { kind: "undone", undoes });
			const skipped: bigint[] = [];
			for (let done = 0; done < total; done += partRows) {
				yield mayPause;
				const replaced: Replaced[] = [];
				const part = parts[done / partRows];
				for (const step of part
					? unpack<Step>(part)
					: yield* readSteps(undo, edit, done)) {
					const { petId } = step;
					const left = undo.untouched ? null : step.left;
					const one = toReplaced(
						later.has(petId)
							? { ...step, left, current: later.get(petId) }
							: step,
					);
					if (one) replaced.push(one);
					else skipped.push(petId);
				}
				yield* made.write(replaced);
			}
			if (skipped.length === total) throw nothingLeft;
			const { edit: id } = yield* made.end();
			yield* setEffect(edit, id ?? null);
			const found = yield* findEdit(id ?? 0n);
			const named = skipped.slice(0, maxSkipped);
			const skippedTotal = skipped.length;
			return {
				result: found && { edit: found, skipped: named, skippedTotal },
			};
		},
	};
}

const nothingLeft = refuse("Every animal of this edit was changed since");

/** Undefined if there never was such an edit. */
function* findUndoable({
	id,
	maxAnimals,
	untouched,
}: Undo): Work<Edit | undefined> {
	const edit = yield* findEdit(id);
	if (edit === undefined) {
		// Older edits were cleaned up, with their history. Other numbers below the counter are of adds over /v1.
		const oldest = yield* first(
			"find older edit",
			`SELECT 1 WHERE (${selectLast}) >= $1 AND coalesce((SELECT min(id) FROM edits) >= $1, true)`,
			[id],
		);
		if (oldest) throw refuse("This edit does not exist, or is no longer kept");
		return undefined;
	}
	const restored =
		untouched &&
		(yield* first(
			"find restore",
			"SELECT 1 FROM edits WHERE id > $1 AND kind = 'restored' LIMIT 1",
			[id],
		));
	if (restored) throw refuse("A backup was restored since");
	const total = countAnimals(edit);
	if (edit.undoneBy !== undefined)
		throw refuse(`This edit was undone already, by the edit ${edit.undoneBy}`);
	if (edit.kind === "restored")
		throw refuse("The restore of a backup cannot be undone: restore another");
	if (total > maxAnimals)
		throw refuse(
			`This edit has ${total} animals, and a request undoes at most ${maxAnimals}: use petstore edits undo ${id}`,
		);
	return edit;
}

/** Each animal has one position, from the id of the edit on. */
function countAnimals({ added, changed, removed }: Edit): number {
	return added + changed + removed;
}

/** What an edit did to one animal. */
interface Step {
	readonly petId: bigint;
	/** Undefined if the edit added the animal. */
	readonly before: StoredPet | undefined;
	/** What the edit left; undefined if it removed the animal, null if that is not known, or does not count. */
	readonly left: StoredPet | undefined | null;
	/** What the animal is now. */
	readonly current: StoredPet | undefined;
}

/** Undefined if the animal is skipped: its content is not what the edit left, or, with `untouched`, it was changed at all. */
function toReplaced({ before, left, current }: Step): Replaced | undefined {
	if (left === null || !hasSameContent(current, left)) return undefined;
	const after = before && { ...before, ...current, ...toContent(before) };
	return { before: current, after };
}

/** A part of the steps, after those that are `done`. */
function* readSteps(
	{ untouched }: Undo,
	edit: Edit,
	done: number,
): Work<readonly Step[]> {
	const { id, addedIds } = edit;
	const from = id + BigInt(done);
	const to = from + BigInt(Math.min(partRows, countAnimals(edit) - done));
	const rows = yield* all<HistoryRow>(
		"read entries of edit",
		`${selectHistory} WHERE position >= $1 AND position < $2 ORDER BY position`,
		[from, to],
	);
	const entries = rows.map((row) => ({
		petId: row.petId,
		position: row.position,
		/** Undefined if the animal was removed. */
		version: row.kind === "removed" ? undefined : row.position,
		before: toBefore(row),
	}));
	for (let id = from; addedIds && id < to; id++)
		if (id >= addedIds.from)
			entries.push({ petId: id, position: id, version: id, before: undefined });
	if (BigInt(entries.length) !== to - from)
		throw refuse("The history of this edit is no longer kept");
	const { current, versions } = yield* findVersions(entries);
	const next = untouched
		? yield* findNext(
				entries.map(({ petId, position: version }) => ({ petId, version })),
			)
		: [];
	const touched = new Set(
		next.flatMap(({ petId, position }) => (position === null ? [] : petId)),
	);
	const toLeft = (petId: bigint, version: bigint | undefined) => {
		if (touched.has(petId)) return null;
		return version === undefined ? undefined : (versions.get(version) ?? null);
	};
	return entries.map(({ petId, version, before }) => ({
		petId,
		before,
		left: toLeft(petId, version),
		current: current.get(petId),
	}));
}

/** An undo that is undone is no longer in effect, so what it undid is in effect again, and so on. */
function* setEffect(undone: Edit, by: bigint | null): Work<void> {
	for (let edit: Edit | undefined = undone; edit !== undefined; ) {
		yield* run(
			"mark edit as undone",
			"UPDATE edits SET undone_by = $1 WHERE id = $2",
			[by, edit.id],
		);
		by = by === null ? edit.id : null;
		const { id, undoes }: Edit = edit;
		// An edit undoes an earlier one: the loop ends, whatever the table has.
		edit =
			undoes !== undefined && undoes < id ? yield* findEdit(undoes) : undefined;
	}
}
