// What is broken, how often, and by what: the rows of docs/reliability.md.
import { breakDisk } from "./disk.ts";
import { failOver } from "./failover.ts";
import { holdReader } from "./held-reader.ts";
import { killKeyCommands } from "./key-commands.ts";
import { killOneOfTwo, killService } from "./kill.ts";
import {
	endSessions,
	killCopy,
	restartPostgres,
	swallowReply,
} from "./postgres.ts";
import { cutPower } from "./power.ts";
import { whyNoShim } from "./shim.ts";
import type { Tally } from "./tally.ts";
import type { Setting } from "./trial.ts";

export interface Scenario {
	readonly name: string;
	readonly engine: "SQLite" | "PostgreSQL";
	/** What is broken, in a few words. */
	readonly breaks: string;
	/** How often for docs/reliability.md, and in `npm test`. */
	readonly rounds: { readonly record: number; readonly test: number };
	/** Whether a planted fault may leave it with files that it cannot open or use. */
	readonly spoilsFiles?: true;
	/** Why it cannot run on this machine. */
	readonly whyNot?: () => string | undefined;
	readonly run: (setting: Setting) => Promise<Tally>;
}

export const scenarios: readonly Scenario[] = [
	{
		name: "kill-service",
		engine: "SQLite",
		breaks: "`kill -9` of the service under 32 writers",
		rounds: { record: 500, test: 4 },
		run: killService,
	},
	{
		name: "two-servers",
		engine: "SQLite",
		breaks: "two services on one file, one of them killed with `kill -9`",
		rounds: { record: 100, test: 3 },
		run: killOneOfTwo,
	},
	{
		name: "disk-full",
		engine: "SQLite",
		breaks: "the disk is full (`ENOSPC`) until adds were refused",
		rounds: { record: 100, test: 2 },
		whyNot: whyNoShim,
		run: (setting) => breakDisk("no-space", setting),
	},
	{
		name: "failing-writes",
		engine: "SQLite",
		breaks: "writes are done by half and fail (`EIO`)",
		rounds: { record: 100, test: 2 },
		whyNot: whyNoShim,
		run: (setting) => breakDisk("no-write", setting),
	},
	{
		name: "failing-syncs",
		engine: "SQLite",
		breaks: "`fsync` fails (`EIO`)",
		rounds: { record: 100, test: 2 },
		whyNot: whyNoShim,
		run: (setting) => breakDisk("no-sync", setting),
	},
	{
		name: "power-loss",
		spoilsFiles: true,
		engine: "SQLite",
		breaks:
			"a power cut: only what was synced is kept, and any sectors of the rest; before half of the cuts, syncs fail",
		rounds: { record: 500, test: 4 },
		whyNot: whyNoShim,
		run: cutPower,
	},
	{
		name: "held-reader",
		engine: "SQLite",
		breaks:
			"another process holds a read transaction open until the log is full and adds were refused",
		rounds: { record: 20, test: 1 },
		run: holdReader,
	},
	{
		name: "key-commands",
		engine: "SQLite",
		breaks:
			"`keys create` and `keys revoke` killed at any of their writes and syncs",
		rounds: { record: 200, test: 4 },
		whyNot: whyNoShim,
		run: killKeyCommands,
	},
	{
		name: "postgres-kill-service",
		engine: "PostgreSQL",
		breaks: "`kill -9` of one of two copies of the service under 16 writers",
		rounds: { record: 100, test: 3 },
		run: killCopy,
	},
	{
		name: "postgres-restart",
		engine: "PostgreSQL",
		breaks: "immediate stop and start of PostgreSQL",
		rounds: { record: 100, test: 3 },
		run: restartPostgres,
	},
	{
		name: "postgres-sessions",
		engine: "PostgreSQL",
		breaks: "`pg_terminate_backend` of all sessions",
		rounds: { record: 100, test: 5 },
		run: endSessions,
	},
	{
		name: "postgres-lost-reply",
		engine: "PostgreSQL",
		breaks: "the reply to a commit is lost on its way",
		rounds: { record: 100, test: 5 },
		run: swallowReply,
	},
	{
		name: "postgres-failover",
		engine: "PostgreSQL",
		breaks: "`kill -9` of the primary; a synchronous standby is promoted",
		rounds: { record: 100, test: 1 },
		run: failOver,
	},
];
