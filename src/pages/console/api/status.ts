// The status of the service, as the operator interface describes it.
import type { Api } from "./api.ts";
import { optional, toMembers, toNumber, toText, toTime } from "./values.ts";

export interface Status {
	readonly version: string;
	readonly engine: string;
	readonly engineVersion: string | undefined;
	readonly schema: number;
	readonly databaseBytes: number | undefined;
	/** SQLite only. */
	readonly walBytes: number | undefined;
	readonly animals: number;
	/** Whether there may be more animals than were counted. */
	readonly animalsAreAtLeast: boolean;
	readonly animalsByStatus: Readonly<Record<string, number>>;
	readonly startedAt: number;
	readonly workers: number;
	readonly processMemoryBytes: number | undefined;
}

export async function readStatus(
	{ read }: Api,
	ending?: AbortSignal,
): Promise<Status> {
	const status = toMembers((await read("/status", ending)).body);
	const byStatus = toMembers(status.animalsByStatus ?? {}, "animalsByStatus");
	return {
		version: toText(status.version, "version"),
		engine: toText(status.engine, "engine"),
		engineVersion: optional(status.engineVersion, "engineVersion", toText),
		schema: toNumber(status.schema, "schema"),
		databaseBytes: optional(status.databaseBytes, "databaseBytes", toNumber),
		walBytes: optional(status.walBytes, "walBytes", toNumber),
		animals: toNumber(status.animals, "animals"),
		animalsAreAtLeast: status.animalsAreAtLeast === true,
		animalsByStatus: Object.fromEntries(
			Object.entries(byStatus).map(([name, count]) => [
				name,
				toNumber(count, name),
			]),
		),
		startedAt: toTime(status.startedAt, "startedAt"),
		workers: toNumber(status.workers, "workers"),
		processMemoryBytes: optional(
			status.processMemoryBytes,
			"processMemoryBytes",
			toNumber,
		),
	};
}
