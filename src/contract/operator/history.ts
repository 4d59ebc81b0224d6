// The history of animals in the operator interface: who changed or removed one, its earlier content, and restoring it.
import { authorKinds } from "../../domain/author.ts";
import { type ErrorCode, Failure, failing } from "../../domain/errors.ts";
import { maxInt64 } from "../../domain/json.ts";
import { toPetId } from "../../domain/pet.ts";
import { operationsOf, type Part } from "../operation.ts";
import { limitOf, parameter } from "../parameter.ts";
import {
	closedObject,
	int64,
	list,
	maxPageSize,
	object,
	ref,
	time,
	text as toText,
	whole64,
} from "../schemas.ts";

const petId = {
	description: "The id of the animal.",
	schema: int64,
	example: 1,
};

const added = { addedAt: "2026-11-16T08:00:00.000Z", addedBy: 1 };
export const rex = {
	id: 1,
	name: "Rex",
	categoryId: 1,
	status: "available",
	version: 1,
	...added,
};
const tom = {
	id: 2,
	name: "Tom",
	categoryId: 2,
	status: "pending",
	version: 2,
	...added,
};

const changeErrors: readonly ErrorCode[] = [
	"invalid_parameter",
	"not_found",
	"precondition_failed",
	"ids_exhausted",
];

export const historyLimit = limitOf("Maximum number of entries returned.");

export const historyAfter = parameter(
	{
		name: "after",
		description: "Where to continue: the `next` of an earlier reply.",
		schema: { ...int64, minimum: 1 },
	},
	`must be a plain whole number from 1 to ${maxInt64}`,
	toPetId,
);

export const historyBy = parameter(
	{
		name: "by",
		description:
			"Only entries whose `by` has this text as kind, as name, or as id of a key or import. One request searches a limited number of entries. While the reply has a `next`, the search can continue, even if nothing was found yet.",
		schema: { type: "string", pattern: "^[^\\x00]*$" },
	},
	"must not contain the character U+0000",
	// PostgreSQL takes no text with it.
	(text) => (text.includes("\0") ? undefined : text),
);

export function noSuchVersion(version: bigint): Failure {
	return new Failure(
		"not_found",
		`The history has no version ${version} of this animal: it never existed, or its entry has expired.`,
	);
}

/** An animal that does not exist fulfils no `If-Match`. */
export const refuseRemoved = failing(
	"precondition_failed",
	"The animal is removed, so If-Match cannot name its ETag. Nothing was done.",
);

export const Restoration = closedObject("The version to put back.", {
	version: {
		...whole64(
			"The `version` of the animal, from `before` or `pet` of an entry.",
		),
		minimum: 1,
	},
});

const by = { kind: "key", keyId: 1, name: "Ada" };
const removal = {
	petId: 2,
	kind: "removed",
	at: "2026-11-16T09:00:00.000Z",
	by,
	before: { ...tom },
};
const add = {
	petId: 2,
	kind: "added",
	at: tom.addedAt,
	by,
	pet: tom,
};

const operation = operationsOf({
	tag: "history",
	scope: "operator",
	pathParameters: { petId },
});

export const history = {
	tags: {
		history:
			"Who changed, removed or put back an animal, what it was before, and the way back.",
	},
	operations: {
		listHistory: operation({
			path: "/history",
			summary: "List the changes of all animals",
			description:
				"Newest first, with who made each change. An animal that was added has no entry here: it has `addedAt` and `addedBy`. While the reply has a `next`, more entries follow. The history is kept for 400 days, or as long as `petstore serve --history` says.",
			query: [historyBy, historyAfter, historyLimit],
			success: {
				description: "The entries.",
				body: "History",
				example: { entries: [removal], next: 6 },
			},
			errors: ["invalid_parameter"],
		}),
		listPetHistory: operation({
			path: "/pets/{petId}/history",
			summary: "List the changes of an animal",
			description:
				"Newest first, even of a removed animal. The last entry is its add, if known. While the reply has a `next`, more entries follow.",
			query: [historyAfter, historyLimit],
			success: {
				description: "The entries.",
				body: "History",
				example: { entries: [removal, add] },
			},
			errors: ["invalid_parameter", "not_found"],
		}),
		restorePet: operation({
			method: "POST",
			path: "/pets/{petId}/restore",
			summary: "Put back an earlier version of an animal",
			description:
				"As a new change, with a new version. An animal that was removed comes back with its id. The history must still have that version; with `petstore serve --history 0` only the current version is known.",
			body: "Restoration",
			honoursIfMatch: true,
			example: { version: 1 },
			success: {
				description: "The animal as it is now.",
				body: "Pet",
				headers: ["ETag"],
				example: { ...rex, version: 8 },
			},
			errors: changeErrors,
		}),
	},
	schemas: {
		HistoryAuthor: object(
			"Who made a change: a key, someone who signed in by a link, the command line, or an import.",
			{ kind: { type: "string", enum: authorKinds } },
			{
				keyId: whole64("The id of a stored key. Only of a key."),
				importId: toText("The `--import-id`. Only of an import."),
				name: toText(
					"The name of the key at that time, or the name that the link was made for. Absent if it had none.",
				),
			},
		),
		HistoryEntry: object(
			"A change of one animal.",
			{
				petId: whole64("The id of the animal."),
				kind: {
					type: "string",
					enum: ["added", "changed", "removed"],
					description: "`added` even if it was put back after a removal.",
				},
			},
			{
				at: time("When it was done. Absent if the time of the add is unknown."),
				by: ref("HistoryAuthor", "Absent if unknown."),
				before: ref("Pet", "The animal before. Absent if it was added."),
				pet: ref(
					"Pet",
					"The animal after it. Absent if it was removed, or if this content is no longer known.",
				),
			},
		),
		History: object(
			"Entries of the history, newest first.",
			{ entries: list("HistoryEntry", maxPageSize) },
			{
				next: whole64("The `after` of the next page; absent on the last one."),
			},
		),
		Restoration,
	},
} satisfies Part;
