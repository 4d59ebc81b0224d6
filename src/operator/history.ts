// The history of animals: who changed or removed one, what it was before, and the way back.
import { Failure } from "../domain/errors.ts";
import { maxPageSize, next, pageOf, toMaxId } from "../domain/pet/cursor.ts";
import {
	fields,
	type GivenPet,
	givenNames,
	maxNameLength,
	toContent,
} from "../domain/pet/pet.ts";
import { storedPetType } from "../domain/pet/pet-types.ts";
import { toAge } from "../domain/time.ts";
import { closedObject, list, object } from "../domain/types/object.ts";
import { anyText, int64, partOfText } from "../domain/types/scalar.ts";
import { optional, type ValueOf } from "../domain/types/type.ts";
import { requireFound } from "../interface/operation.ts";
import { HistoryEntry } from "../interface/replies.ts";
import type { ChangeRefused } from "../store/animals/change.ts";
import { changeErrors, makeChanges, refuseChange } from "./change-pets.ts";
import { type OperatorResource, operation } from "./operation.ts";
import { missing, params, toAnswer } from "./pet.ts";

export const page = pageOf("entries");

const History = object("History", "Entries of the history, newest first.", {
	entries: list(HistoryEntry, maxPageSize),
	next,
});

const listHistory = operation({
	method: "GET",
	path: "/history",
	summary: "List the changes of all animals",
	description:
		"Newest first, with who made each change. An animal that an import or a client of `/v1` added has no entry here: it has `addedAt` and `addedBy`. While the reply has a `next`, more entries follow. The history is kept for 400 days, or as long as `petstore serve --history` says.",
	query: {
		name: optional(
			partOfText(
				"Only entries of animals whose name, before or now, contains this text. Case is ignored. One request searches for a limited time. While the reply has a `next`, the search can continue, even if nothing was found yet.",
				maxNameLength,
			),
		),
		petId: optional(int64("Only entries of this animal.", 1n)),
		by: optional(anyText("Only entries by this kind, name or id of a key.")),
		edit: optional(int64("Only entries of this edit.", 1n)),
		...page,
	},
	reply: History,
	command: { toRow },
	async handle({ cursor, ...asked }, { store }) {
		const maxPosition = toMaxId(cursor);
		return store.history.readAll({ ...asked, maxPosition });
	},
});

const listPetHistory = operation({
	method: "GET",
	path: "/pets/{petId}/history",
	summary: "List the changes of an animal",
	description:
		"Newest first, even of a removed animal. The last entry is its add, if known. While the reply has a `next`, more entries follow.",
	params,
	missing,
	query: page,
	reply: History,
	command: { verb: "show", toRow },
	async handle({ petId, limit, cursor }, { store }) {
		const maxPosition = toMaxId(cursor);
		const found = await store.history.readOf(petId, { maxPosition, limit });
		return requireFound(found, missing);
	},
});

const restorePet = operation({
	method: "POST",
	path: "/pets/{petId}/restore",
	summary: "Put back an earlier version of an animal",
	description:
		"As a new change, with a new version. An animal that was removed comes back with its id. The history must still have that version; with `petstore serve --history 0` only the current version is known.",
	params,
	missing,
	body: closedObject("Restoration", "The version to put back.", {
		version: int64("The `version` in `before` or `pet` of an entry.", 1n),
	}),
	honoursIfMatch: true,
	reply: storedPetType,
	headers: ["ETag", "Edit-Id"],
	errors: changeErrors,
	async handle({ petId, version, condition }, service, call) {
		const { store } = service;
		// An earlier content never changes, so it is read before the transaction.
		const content = requireFound(
			await store.history.findVersion(petId, version),
			`The history has no version ${version} of this animal: it never existed, or its entry has expired.`,
		);
		// A removed animal meets no If-Match, not even `*`.
		const mustExist = call.request.headers.has("if-match");
		const change = {
			petId,
			condition,
			set: toContent(content),
			putBack: mustExist ? undefined : content,
		};
		const made = await makeChanges(service, call, [change], refuseRestore);
		return toAnswer(store, made.pets[0], made.edit);
	},
});

/** With If-Match, a removed animal is not put back. */
function refuseRestore(refused: ChangeRefused): Failure {
	return refused.outcome === "differs"
		? refuseChange(refused)
		: new Failure(
				"precondition_failed",
				"The animal is removed, so If-Match cannot name its ETag. Nothing was done.",
			);
}

export const history: OperatorResource = {
	tag: "history",
	description:
		"Who changed, removed or put back an animal, what it was before, and the way back.",
	operations: { listHistory, listPetHistory, restorePet },
};

/** `before` is the version for `history restore`. */
export function toRow(entry: ValueOf<typeof HistoryEntry>) {
	const { petId, kind, at, by: author, edit, before, pet } = entry;
	return {
		at: at === undefined ? "" : toAge(at),
		animal: `${petId}`,
		kind,
		by: author === undefined ? "" : HistoryEntry.members.by.toText(author),
		edit: edit === undefined ? "" : `${edit}`,
		before: before === undefined ? "" : `${before.version}`,
		change: toChangeText(before, pet),
	};
}

/** The members that differ, or the name of an animal that was added or removed. */
function toChangeText(
	before: GivenPet | undefined,
	pet: GivenPet | undefined,
): string {
	const shown = before ?? pet;
	if (before === undefined || pet === undefined)
		return shown === undefined ? "" : toShown(shown, "name");
	return givenNames
		.filter((name) => before[name] !== pet[name])
		.map((name) => {
			const title = fields[name].title.toLowerCase();
			return `${title} ${toShown(before, name)} → ${toShown(pet, name)}`;
		})
		.join(", ");
}

/** Makes an empty name visible. */
function toShown(pet: GivenPet, name: keyof GivenPet): string {
	const value = pet[name] ?? null;
	return value === null ? "none" : fields[name].type.toText(value) || '""';
}
