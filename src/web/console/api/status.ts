// The status of the service and its backups, as the operator interface describes them.
import type { Api } from "./api.ts";
import { flag, list, number, object, optional, text, time } from "./values.ts";

const toStatus = object({
	version: text,
	engine: text,
	engineVersion: optional(text),
	schema: number,
	databaseBytes: optional(number),
	/** SQLite only. */
	walBytes: optional(number),
	animals: number,
	/** Whether there may be more animals than were counted. */
	animalsAreAtLeast: flag,
	animalsByStatus: optional(
		object({
			available: optional(number),
			pending: optional(number),
			sold: optional(number),
		}),
	),
	startedAt: time,
	workers: number,
	processMemoryBytes: optional(number),
});

export type Status = ReturnType<typeof toStatus>;

export async function readStatus({ read }: Api, ending: AbortSignal) {
	return toStatus(await read("/status", ending));
}

const toBackup = object({ name: text, bytes: number, createdAt: time });

const toBackups = object({
	/** Whether the service was told where backups are. */
	hasFolder: flag,
	backups: list(toBackup),
});

export type Backups = ReturnType<typeof toBackups>;

export async function readBackups({ send }: Api, ending: AbortSignal) {
	// Not repeated by itself: a folder that cannot be read is no failure of the whole service.
	return toBackups(await send("GET", "/backups", { ending }));
}
