// What the operations for operators reply, as far as the console reads it: its types are those of these shapes. The console is compiled for
// browsers, so this file imports nothing that needs more.
import { authorOf } from "../domain/access/author.ts";
import {
	isKeyName,
	keyNameRule,
	keyScopes,
	scopeMeanings,
} from "../domain/access/key-scope.ts";
import { changeKinds, editKinds } from "../domain/pet/change-kinds.ts";
import { maxIgnored, maxListedErrors } from "../domain/pet/file-format.ts";
import { storedPetType } from "../domain/pet/pet-types.ts";
import { isWholeNumber, wholeNumber } from "../domain/text.ts";
import { list, object } from "../domain/types/object.ts";
import {
	anyText,
	count,
	decimal,
	flag,
	formed,
	int64,
	oneOf,
	size,
	time,
	whole,
} from "../domain/types/scalar.ts";
import {
	type JsonOf,
	optional,
	unlisted,
	withDescription,
	withExample,
	withRule,
} from "../domain/types/type.ts";

/** A name for people. */
export function nameOf(what: string, example?: string) {
	return formed(
		`${what}: it ${keyNameRule}.`,
		{ test: isKeyName },
		keyNameRule,
		// Without `\p{…}`, which many tools lack, it can exclude only one formatting character, that of Latin-1.
		{
			example,
			minLength: 1,
			maxLength: 100,
			pattern: `^${printable}*[^\\s${unprintable}]${printable}*$`,
		},
	);
}

const unprintable = "\\x00-\\x1f\\x7f-\\x9f\\xad";
const printable = `[^${unprintable}]`;

export const keyScope = oneOf(
	keyScopes.map((one) => `\`${one}\`: ${scopeMeanings[one]}.`).join(" "),
	keyScopes,
	"KeyScope",
);

export const Key = object("Key", "An API key, without its secret.", {
	id: count("Its number, from 1 upward."),
	name: nameOf("What or whom the key is for", "partner"),
	prefix: anyText("Its first characters.", "pet_4fZ9"),
	scope: keyScope,
	createdAt: time("When it was made."),
	expiresAt: optional(time("From when on it is refused.")),
	revokedAt: optional(time("When it was revoked.")),
	lastUsedAt: optional(time("When it was last used, to the minute.")),
	deprecatedUseAt: unlisted(
		optional(time("When it last called a deprecated operation.")),
	),
});
export type Key = JsonOf<typeof Key>;

/** A number in a file is the id of a category. */
export const categoryName = withRule(
	nameOf("The name for people", "Dogs"),
	(text) => !isWholeNumber(text),
	"must not be a whole number",
	{ not: { pattern: wholeNumber.source } },
);

export const Category = object(
	"Category",
	"A category that has a name or animals.",
	{
		id: int64("The id, as animals have it."),
		name: optional(categoryName),
		pets: int64("How many animals have it."),
	},
);
export type Category = JsonOf<typeof Category>;

export const Edit = object("Edit", "What one request or command changed.", {
	id: int64("The id of the edit."),
	at: time("When it was made."),
	by: authorOf("Who made it."),
	kind: oneOf(
		"`removed` if it only removed animals; `restored` by a backup; `undone` if it undid another edit.",
		editKinds,
	),
	added: count("Animals that were added, or that came back."),
	changed: count("Animals that were changed."),
	removed: count("Animals that were removed."),
	addedIds: unlisted(
		optional(
			object("", "Only of an import: the ids of what it added.", {
				from: int64("The first id."),
				to: int64("The last id."),
			}),
		),
	),
	undoneBy: optional(int64("The edit that undid this one, and is in effect.")),
});
export type Edit = JsonOf<typeof Edit>;

export const HistoryEntry = object("HistoryEntry", "A change of one animal.", {
	petId: int64("The id of the animal."),
	kind: withExample(
		oneOf("`added` even if it was put back after a removal.", changeKinds),
		"changed",
	),
	at: optional(time("When it was done. Absent if unknown.")),
	by: optional(authorOf("Absent if unknown.")),
	edit: optional(
		int64(
			"The edit that it is a part of. Absent for an add by an import or over `/v1`.",
		),
	),
	before: optional(withDescription(storedPetType, "Absent if it was added.")),
	pet: optional(
		withDescription(storedPetType, "Absent if removed or unknown."),
	),
});
export type HistoryEntry = JsonOf<typeof HistoryEntry>;

export const backupName = anyText(
	"The name of the file.",
	"petstore-3f9a01c2-20270131T081500Z-2.db",
);

export const Backup = object(
	"Backup",
	"A file that `petstore backup` has made.",
	{
		name: backupName,
		bytes: count("Its size."),
		animals: count("Its animals."),
		createdAt: time("When the backup was begun."),
	},
);
export type Backup = JsonOf<typeof Backup>;

const RequestCount = object("RequestCount", "Of one minute or hour.", {
	at: time("When it began."),
	total: count("The number of requests."),
	failed: count("Those with a status of 500 or above."),
	p99Ms: optional(
		decimal("99 % were answered within this time: an estimate.", 0, 10_000),
	),
});

const Backups = object("", "The backups. Absent if the service makes none.", {
	folder: anyText("Where they are.", "data/backups"),
	every: optional(count("Seconds from one to the next. 0: only on request.")),
	keep: optional(count("How many are kept.")),
	last: optional(
		object("", "The newest of this catalogue, if the folder answers.", {
			name: backupName,
			at: time("When it was begun."),
			bytes: size("Its size."),
			animals: count("Its animals."),
		}),
	),
	nextAt: optional(time("When the next one is due, on any machine.")),
	failure: optional(anyText("Why the last one failed.", "The disk is full.")),
});

const Requests = object("", "Of operations only, oldest first.", {
	lastHour: withDescription(list(RequestCount, 60), "By minute."),
	lastDay: withDescription(list(RequestCount, 24), "By hour."),
});

export const Status = object("Status", "The state of the service.", {
	version: anyText("The version of the program.", "1.0.0"),
	engine: oneOf("What stores the animals.", ["sqlite", "postgres"]),
	engineVersion: anyText("Its version.", "3.51.3"),
	schema: whole("The version of the tables."),
	databaseBytes: size("The size of the database."),
	walBytes: optional(size("The size of the WAL. Only with SQLite.")),
	animals: count("The number of animals."),
	animalsByStatus: object("", "The number of animals with each status.", {
		available: count(""),
		pending: count(""),
		sold: count(""),
	}),
	writeFailure: optional(
		object("", "Absent if the last write of the process succeeded.", {
			since: time("When the first of the writes failed that all failed."),
			reason: anyText("Why the last one failed.", "database or disk is full"),
		}),
	),
	backups: optional(Backups),
	requests: optional(Requests),
	startedAt: optional(time("When the process was started.")),
	uptimeSeconds: optional(count("For how long it has run.")),
	processMemoryBytes: optional(size("Its resident memory.")),
});
export type Status = JsonOf<typeof Status>;

export const Session = object("Session", "Says whether someone is signed in.", {
	signedIn: flag("Whether the cookie belongs to a session."),
	key: optional(
		object("", "The stored key that made the session, if one did.", {
			id: count("The id of the key."),
			name: anyText("The name of the key.", "Ada"),
		}),
	),
	name: optional(anyText("As `petstore console --as` gave it.", "Ada")),
	expiresAt: optional(time("When it ends if it is not used again.")),
});
export type Session = JsonOf<typeof Session>;

const FileError = object("FileError", "A rule that a line breaks.", {
	line: whole("The line, from 1."),
	message: anyText("The rule.", "name is required."),
	field: optional(anyText("The column or member, if one is wrong.", "name")),
	value: optional(anyText("The value, cut after 40 characters.", "Rex")),
});

export const FileErrors = list(FileError, maxListedErrors);

/** Of categories. */
export const maxNames = 100;

export const CreatedCategories = list(
	anyText("The name of a category.", "Dogs"),
	maxNames,
);

export const IgnoredMembers = list(
	object("IgnoredMember", "A member of NDJSON that an import does not read.", {
		name: anyText("The name, cut after 40 characters.", "catgoryId"),
		lines: whole("The number of lines that have it."),
	}),
	maxIgnored,
);

export const ImportedPets = object("ImportedPets", "What an import did.", {
	added: whole("Animals that were added."),
	changed: whole("Animals that were changed."),
	unchanged: whole("Animals that were already as the file says."),
	blankNames: whole("Names of the file in which nothing can be seen."),
	createdCategories: withDescription(
		CreatedCategories,
		`The first ${maxNames} names of categories that were made.`,
	),
	errors: withExample(
		withDescription(FileErrors, "Empty: a file with errors is refused."),
		[],
	),
	ignored: withDescription(
		IgnoredMembers,
		`The first ${maxIgnored} unknown members of NDJSON.`,
	),
	finishedAt: optional(time("When an earlier request did the import.")),
});
export type ImportedPets = JsonOf<typeof ImportedPets>;
