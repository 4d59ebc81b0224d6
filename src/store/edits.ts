// Edits: everything that one request, command or import changed, and the way back, in one transaction.
import type { Authored } from "../domain/author.ts";
import { Failure } from "../domain/errors.ts";
import { toContent } from "../domain/pet.ts";
import { beginEdit, hasSameContent, type Replaced } from "./edit.ts";
import type { Engine } from "./engine.ts";
import {
	findVersions,
	type HistoryRow,
	selectHistory,
	toBefore,
} from "./history.ts";
import { all, first, partRows, run, untilAborted, type Work } from "./sql.ts";
import { type EditKind, selectLast, toSelected } from "./tables.ts";

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
}

export interface Undone {
	readonly edit: Edit;
	/** Animals that were changed since, and stay as they are: the first, and the number of all. */
	readonly skipped: readonly bigint[];
	readonly skippedTotal: number;
}

export function openEdits({ read, writeLong }: Engine, keepsHistory: boolean) {
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
			return writeLong(() => untilAborted(signal, undoEdit(undo)));
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

function* undoEdit({
	id,
	authored,
	maxAnimals,
}: Undo): Work<Undone | undefined> {
	const edit = yield* findEdit(id);
	if (edit === undefined) {
		// Older edits were cleaned up, with their history. Other numbers below the counter are of single adds.
		const oldest = yield* first(
			"find older edit",
			`SELECT 1 WHERE (${selectLast}) >= $1 AND coalesce((SELECT min(id) FROM edits) >= $1, true)`,
			[id],
		);
		if (oldest) throw refuse("This edit does not exist, or is no longer kept");
		return undefined;
	}
	// Each animal has one position, from the id on.
	const total = edit.added + edit.changed + edit.removed;
	if (edit.undoneBy !== undefined)
		throw refuse(`This edit was undone already, by the edit ${edit.undoneBy}`);
	if (edit.kind === "restored")
		throw refuse("The restore of a backup cannot be undone: restore another");
	if (total > maxAnimals)
		throw refuse(
			`This edit has ${total} animals, and a request undoes at most ${maxAnimals}: use petstore edits undo ${id}`,
		);
	const undo = yield* beginEdit(authored, { kind: "undone", undoes: id });
	const skipped: bigint[] = [];
	for (let done = 0; done < total; done += partRows) {
		const from = id + BigInt(done);
		const to = from + BigInt(Math.min(partRows, total - done));
		const steps = yield* readSteps(edit, from, to);
		const { current, versions } = yield* findVersions(steps);
		const replaced: Replaced[] = [];
		for (const step of steps) {
			const { petId, version, before } = step;
			const pet = current.get(petId);
			const left = versions.get(version ?? 0n);
			const isKnown = version === undefined || left !== undefined;
			if (!isKnown || !hasSameContent(pet, left)) skipped.push(petId);
			else
				replaced.push({
					before: pet,
					after: before && { ...before, ...pet, ...toContent(before) },
				});
		}
		yield* undo.write(replaced);
	}
	if (skipped.length === total)
		throw refuse("Every animal of this edit was changed since");
	const { edit: undone } = yield* undo.end();
	yield* setEffect(edit, undone ?? null);
	const made = yield* findEdit(undone ?? 0n);
	if (made === undefined) return undefined;
	const [skippedTotal, named] = [skipped.length, skipped.slice(0, maxSkipped)];
	return { edit: made, skipped: named, skippedTotal };
}

/** What an edit did to one animal. */
interface Step {
	readonly petId: bigint;
	/** That the animal had after it; undefined if it was removed. */
	readonly version: bigint | undefined;
	/** Undefined if the edit added the animal. */
	readonly before: ReturnType<typeof toBefore>;
}

/** Those with the positions from `from`, before `to`. */
function* readSteps(
	{ addedIds }: Edit,
	from: bigint,
	to: bigint,
): Work<readonly Step[]> {
	const rows = yield* all<HistoryRow>(
		"read entries of edit",
		`${selectHistory} WHERE position >= $1 AND position < $2 ORDER BY position`,
		[from, to],
	);
	const steps = rows.map(
		(row): Step => ({
			petId: row.petId,
			version: row.kind === "removed" ? undefined : row.position,
			before: toBefore(row),
		}),
	);
	for (let id = from; addedIds && id < to; id++)
		if (id >= addedIds.from)
			steps.push({ petId: id, version: id, before: undefined });
	if (BigInt(steps.length) !== to - from)
		throw refuse("The history of this edit is no longer kept");
	return steps;
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
		edit = edit.undoes === undefined ? undefined : yield* findEdit(edit.undoes);
	}
}
