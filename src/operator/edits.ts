// Edits: what one request, command or import changed, and its undo.
import { maxPageSize, next, toMaxId } from "../domain/pet/cursor.ts";
import { toCountText } from "../domain/quantity.ts";
import { maxInt64 } from "../domain/types/json.ts";
import { list, object } from "../domain/types/object.ts";
import { count, int64, toSwitch } from "../domain/types/scalar.ts";
import {
	unlisted,
	type ValueOf,
	withDescription,
	withExample,
} from "../domain/types/type.ts";
import { Answer, requireFound } from "../interface/operation.ts";
import { Edit, HistoryEntry } from "../interface/replies.ts";
import { maxChangedAnimals } from "../store/animals/change.ts";
import { maxSkipped } from "../store/history/undo.ts";
import type { Store } from "../store/store.ts";
import { throwChangeFailure } from "./change-pets.ts";
import { page, toRow } from "./history.ts";
import {
	type OperatorResource,
	operation,
	toAuthored,
	toEditHeader,
	writeLong,
} from "./operation.ts";

const params = { editId: withExample(int64("The id of the edit.", 1n), 1) };
const missing = "No edit has this editId.";

const EditWithEntries = object(
	"EditWithEntries",
	"An edit with its first entries.",
	{ ...Edit.members, entries: list(HistoryEntry, maxPageSize) },
);

const listEdits = operation({
	method: "GET",
	path: "/edits",
	summary: "List edits",
	description:
		"Newest first. Animals that clients of `/v1` added are in no edit. While the reply has a `next`, more follow. Edits are kept as long as the history.",
	query: page,
	reply: object("Edits", "Edits, newest first.", {
		edits: list(Edit, maxPageSize),
		next,
	}),
	async handle({ limit, cursor }, { store }) {
		const found = await store.edits.list(toMaxId(cursor), limit + 1);
		const edits = found.slice(0, limit);
		const next = found.length > limit ? edits.at(-1)?.id : undefined;
		return { edits, next };
	},
});

const readEdit = operation({
	method: "GET",
	path: "/edits/{editId}",
	summary: "Get an edit",
	description: `With its first ${maxPageSize} entries of the history, oldest first. \`listHistory\` with \`edit\` has all of them.`,
	params,
	missing,
	reply: EditWithEntries,
	command: {
		verb: "show",
		toRow,
		help: `With the first ${maxPageSize} animals that it changed. "petstore history list --edit" has all of them.`,
		says: ({ id, entries }: ValueOf<typeof EditWithEntries>) =>
			entries.length === maxPageSize
				? `For more, see petstore history list --edit ${id}.`
				: undefined,
	},
	async handle({ editId }, { store }) {
		const found = requireFound(await store.edits.find(editId), missing);
		return { ...found, ...(await readFirst(store, editId, maxPageSize)) };
	},
});

/** The first entries of an edit, oldest first. */
export async function readFirst(
	{ history }: Store,
	edit: bigint,
	limit: number,
) {
	const maxPosition = edit + BigInt(limit) - 1n;
	const { entries } = await history.readAll({ edit, maxPosition, limit });
	return { entries: entries.toReversed() };
}

const undoEdit = operation({
	method: "POST",
	path: "/edits/{editId}/undo",
	summary: "Undo an edit",
	description: `In one transaction, as an edit that can be undone itself: changed animals get their former content, removed ones come back with their ids, and those that were added are removed. An animal that was changed since stays as it is, and is named. A \`conflict\`, and nothing done: the edit was undone already, every animal was changed since, its history is no longer kept, it restored a backup, or it has more than ${toCountText(maxChangedAnimals)} animals, which only the command undoes.`,
	params,
	missing,
	query: {
		untouched: toSwitch(
			"Takes an animal for changed since even if it has the same content again, and is a `conflict` after the restore of a backup.",
		),
	},
	reply: object("UndoneEdit", "What an undo did.", {
		edit: withDescription(Edit, "The edit that is the undo."),
		skipped: unlisted(
			withDescription(
				list(int64(""), maxSkipped),
				"The first animals that were changed since, and stay as they are.",
			),
		),
		skippedTotal: count("The number of all these animals."),
	}),
	headers: ["Edit-Id"],
	errors: ["conflict", "ids_exhausted"],
	command: { saysChanges: true },
	async handle({ editId: id, untouched }, { store, running }, call) {
		const authored = toAuthored(call.identity);
		const maxAnimals = running ? maxChangedAnimals : Number(maxInt64);
		const made = await writeLong(
			call,
			(signal) =>
				store.edits.undo({ id, authored, maxAnimals, untouched }, signal),
			`petstore edits undo ${id}`,
		).catch(throwChangeFailure);
		const reply = requireFound(made, missing);
		return new Answer(reply, toEditHeader(reply.edit.id));
	},
});

export const edits: OperatorResource = {
	tag: "edits",
	description:
		"Everything that one request, command or import changed, and its undo.",
	operations: { listEdits, readEdit, undoEdit },
};
