// The status of the service and its backups, as the operator interface describes them.
import type { Api } from "./api.ts";
import { flag, list, number, object, optional, text, time } from "./values.ts";

const toCounts = list(
	object({
		at: time,
		total: number,
		failed: number,
		p99Ms: optional(number),
	}),
);

const toStatus = object({
	version: text,
	engine: text,
	engineVersion: optional(text),
	schema: number,
	databaseBytes: optional(number),
	/** SQLite only. */
	walBytes: optional(number),
	animals: number,
	/** Whether `animals` is a lower bound. */
	animalsAreAtLeast: flag,
	animalsByStatus: optional(
		object({
			available: optional(number),
			pending: optional(number),
			sold: optional(number),
		}),
	),
	newestBackupAt: optional(time),
	/** Why the last backup of the service failed. */
	backupFailure: optional(text),
	startedAt: time,
	/** By minute and by hour, oldest first. */
	requests: object({ lastHour: toCounts, lastDay: toCounts }),
	processMemoryBytes: optional(number),
});

export type Status = ReturnType<typeof toStatus>;
export type RequestCounts = ReturnType<typeof toCounts>;

const toBackup = object({ name: text, bytes: number, createdAt: time });

const toBackups = object({
	/** Whether the service was started with a folder for backups. */
	hasFolder: flag,
	backups: list(toBackup),
});

const toNewBackup = object({ name: text });

export type Backups = ReturnType<typeof toBackups>;

export function createStatus({ read, send }: Api) {
	return {
		read: async (ending: AbortSignal) =>
			toStatus(await read("/status", ending)),
		/** Without a retry: the service may work although it cannot read the folder. */
		listBackups: async (ending: AbortSignal) =>
			toBackups(await send("GET", "/backups", { ending })),
		/** Returns its name. The service answers sooner than the timeout. */
		makeBackup: async () =>
			toNewBackup(await send("POST", "/backups", { timeoutMs: 60_000 })).name,
	};
}
