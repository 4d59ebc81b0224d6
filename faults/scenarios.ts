// The fault scenarios and their rounds.
import { shimSkipReason } from "./disk/shim.ts";
import type { ScenarioOptions } from "./injection/inject.ts";
import type { ScenarioResult } from "./injection/result.ts";
import { breakDisk } from "./scenarios/disk.ts";
import { failOver } from "./scenarios/failover.ts";
import { followOnPostgres, followOnSqlite } from "./scenarios/feed.ts";
import { killKeyCommands } from "./scenarios/key-commands.ts";
import { killOneOfTwo, killService } from "./scenarios/kill.ts";
import { killBackup } from "./scenarios/kill-backup.ts";
import {
	killCopyDuringChanges,
	killDuringChanges,
} from "./scenarios/kill-changes.ts";
import { killImport } from "./scenarios/kill-import.ts";
import { killRestore } from "./scenarios/kill-restore.ts";
import { killUpdate, killUpdateOnPostgres } from "./scenarios/kill-update.ts";
import {
	endSessions,
	killCopy,
	loseReply,
	restartPostgres,
} from "./scenarios/postgres.ts";
import { cutPower } from "./scenarios/power.ts";

export interface Scenario {
	readonly name: string;
	readonly engine: "SQLite" | "PostgreSQL";
	/** The fault in a few words. */
	readonly fault: string;
	/** For `npm run faults`, and in test/project. test/faults has one round. */
	readonly rounds: { readonly record: number; readonly test: number };
	/** A planted fault may damage the database files. Then the service does not start, or accepts no more adds. */
	readonly mayDamageFiles?: true;
	/** Why it cannot run here, or undefined. */
	readonly skipReason?: () => string | undefined;
	readonly run: (options: ScenarioOptions) => Promise<ScenarioResult>;
}

export const scenarios: readonly Scenario[] = [
	{
		name: "kill-service",
		engine: "SQLite",
		fault: "`kill -9` of the service under the load of 32 writers",
		rounds: { record: 500, test: 4 },
		run: killService,
	},
	{
		name: "two-servers",
		engine: "SQLite",
		fault: "`kill -9` of one of two services on the same file",
		rounds: { record: 100, test: 3 },
		run: killOneOfTwo,
	},
	{
		name: "kill-changes",
		engine: "SQLite",
		fault:
			"`kill -9` of the service while 16 clients change and remove animals, alone and many at once",
		rounds: { record: 200, test: 3 },
		run: killDuringChanges,
	},
	{
		name: "feed",
		engine: "SQLite",
		fault:
			"`kill -9` of one of two services on the same file while 16 clients change animals and 8 follow the feed",
		rounds: { record: 100, test: 3 },
		run: followOnSqlite,
	},
	{
		name: "disk-full",
		engine: "SQLite",
		fault: "the disk is full (`ENOSPC`) until adds are refused",
		rounds: { record: 100, test: 2 },
		skipReason: shimSkipReason,
		run: (options) => breakDisk("no-space", options),
	},
	{
		name: "failing-writes",
		engine: "SQLite",
		fault: "each write stores half of its data and fails (`EIO`)",
		rounds: { record: 100, test: 2 },
		skipReason: shimSkipReason,
		run: (options) => breakDisk("no-write", options),
	},
	{
		name: "failing-syncs",
		engine: "SQLite",
		fault: "`fsync` fails (`EIO`)",
		rounds: { record: 100, test: 2 },
		skipReason: shimSkipReason,
		run: (options) => breakDisk("no-sync", options),
	},
	{
		name: "power-loss",
		mayDamageFiles: true,
		engine: "SQLite",
		fault:
			"a power cut, after which the files have all synced data and a random part of the other sectors. Syncs fail before half of the cuts",
		rounds: { record: 500, test: 4 },
		skipReason: shimSkipReason,
		run: cutPower,
	},
	{
		name: "key-commands",
		engine: "SQLite",
		fault:
			"`keys create` and `keys revoke` are killed at a random write or sync",
		rounds: { record: 200, test: 4 },
		skipReason: shimSkipReason,
		run: killKeyCommands,
	},
	{
		name: "kill-backup",
		engine: "SQLite",
		fault:
			"`kill -9` of `backup` under the load of 4 writers; in each fourth round its disk is full",
		rounds: { record: 200, test: 4 },
		skipReason: shimSkipReason,
		run: killBackup,
	},
	{
		name: "kill-restore",
		engine: "SQLite",
		fault:
			"`kill -9` of `restore --replace` under the load of 4 writers; in each fourth round its disk is full",
		rounds: { record: 200, test: 4 },
		skipReason: shimSkipReason,
		run: killRestore,
	},
	{
		name: "kill-import",
		engine: "SQLite",
		fault:
			"`import` is killed, or its disk becomes full, while the service accepts adds",
		rounds: { record: 200, test: 3 },
		skipReason: shimSkipReason,
		run: killImport,
	},
	{
		name: "kill-update",
		engine: "SQLite",
		fault: "`kill -9` of `import --update` while the service accepts adds",
		rounds: { record: 200, test: 3 },
		run: killUpdate,
	},
	{
		name: "postgres-kill-service",
		engine: "PostgreSQL",
		fault:
			"`kill -9` of one of two copies of the service under the load of 16 writers",
		rounds: { record: 100, test: 3 },
		run: killCopy,
	},
	{
		name: "postgres-kill-changes",
		engine: "PostgreSQL",
		fault:
			"`kill -9` of one of two copies of the service while 16 clients change and remove animals",
		rounds: { record: 200, test: 3 },
		run: killCopyDuringChanges,
	},
	{
		name: "postgres-kill-update",
		engine: "PostgreSQL",
		fault: "`kill -9` of `import --update` while the service accepts adds",
		rounds: { record: 200, test: 3 },
		run: killUpdateOnPostgres,
	},
	{
		name: "postgres-feed",
		engine: "PostgreSQL",
		fault:
			"`kill -9` of one of two copies of the service, or an immediate restart of PostgreSQL, while 16 clients change animals and 8 follow the feed",
		rounds: { record: 100, test: 4 },
		run: followOnPostgres,
	},
	{
		name: "postgres-restart",
		engine: "PostgreSQL",
		fault: "immediate shutdown and restart of PostgreSQL",
		rounds: { record: 100, test: 3 },
		run: restartPostgres,
	},
	{
		name: "postgres-sessions",
		engine: "PostgreSQL",
		fault: "`pg_terminate_backend` of all sessions",
		rounds: { record: 100, test: 5 },
		run: endSessions,
	},
	{
		name: "postgres-lost-reply",
		engine: "PostgreSQL",
		fault: "the reply to a commit is lost between PostgreSQL and the service",
		rounds: { record: 100, test: 5 },
		run: loseReply,
	},
	{
		name: "postgres-failover",
		engine: "PostgreSQL",
		fault: "`kill -9` of the primary, then promotion of a synchronous standby",
		rounds: { record: 100, test: 1 },
		run: failOver,
	},
];
