// What the start of a newer version has done to a database of an older schema.
import type { Log } from "../log/log.ts";

/** Schemas are counted from 1. */
export interface Migration {
	readonly from: number;
	readonly to: number;
	readonly ms: number;
}

export type OnMigration = ((migration: Migration) => void) | undefined;

/** For a service. Of several processes only the one that has migrated the database calls it. */
export function logMigration(log: Log): (migration: Migration) => void {
	return (migration) => log.info({ ...migration }, "the database was migrated");
}
