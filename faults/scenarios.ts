// The scenarios and their sizes.
import { startPostgres } from "../test/harness/postgres/server.ts";
import { shimSkipReason } from "./disk/shim.ts";
import { slowBody, slowHeader, slowReader } from "./load/attack.ts";
import { overload } from "./load/overload.ts";
import type { Result, Scenario, ScenarioOptions } from "./scenario.ts";
import { fillDisk } from "./scenarios/disk.ts";
import { failOver } from "./scenarios/failover.ts";
import { killDuringAdds } from "./scenarios/kill-adds.ts";
import { killBackup } from "./scenarios/kill-backup.ts";
import { killDuringChanges } from "./scenarios/kill-changes.ts";
import { killDuringEdits } from "./scenarios/kill-edits.ts";
import { killImport } from "./scenarios/kill-import.ts";
import { killRestore } from "./scenarios/kill-restore.ts";
import { loseReply, restartPostgres } from "./scenarios/postgres.ts";
import { cutPower } from "./scenarios/power.ts";
import { type Database, fileIn } from "./service.ts";

export const scenarios: readonly Scenario[] = [
	...onBoth({
		name: "kill-adds",
		fault: "`kill -9` of one or both of two services under 32 writers",
		size: { record: 200, test: 1, planted: 4 },
		run: killDuringAdds,
	}),
	...onBoth({
		name: "kill-changes",
		fault:
			"`kill -9` of one of two services, or a restart of PostgreSQL, while 16 clients change and remove animals and 8 follow the feed",
		size: { record: 200, test: 1, planted: 4 },
		run: killDuringChanges,
	}),
	...onBoth({
		name: "kill-edits",
		fault:
			"`kill -9` of the service while it changes or removes 10,000 animals by a filter, or undoes that",
		size: { record: 50, test: 2, planted: 4 },
		run: killDuringEdits,
	}),
	...onBoth({
		name: "kill-import",
		fault:
			"`import --update` is killed, or the disk of a SQLite file is full, while the service accepts adds",
		size: { record: 200, test: 1, planted: 4 },
		skipReason: shimSkipReason,
		run: killImport,
	}),
	{
		name: "kill-backup",
		fault:
			"`kill -9` of `backup` under 4 writers; in each fourth round its disk is full",
		size: { record: 200, test: 1, planted: 4 },
		skipReason: shimSkipReason,
		run: killBackup,
	},
	{
		name: "kill-restore",
		fault:
			"`kill -9` of `restore --replace` under 4 writers; in each fourth round its disk is full",
		size: { record: 200, test: 1, planted: 4 },
		skipReason: shimSkipReason,
		run: killRestore,
	},
	{
		name: "disk-full",
		fault: "the disk is full (`ENOSPC`) until adds are refused",
		size: { record: 100, test: 1, planted: 2 },
		skipReason: shimSkipReason,
		run: fillDisk,
	},
	{
		name: "power-loss",
		mayDamageFiles: true,
		fault:
			"a power cut, after which the files have all synced data and a random part of the other sectors. Syncs fail before half of the cuts",
		size: { record: 200, test: 1, planted: 4 },
		skipReason: shimSkipReason,
		run: cutPower,
	},
	{
		name: "postgres-restart",
		fault: "immediate shutdown and restart of PostgreSQL",
		size: { record: 100, test: 1, planted: 3 },
		run: restartPostgres,
	},
	{
		name: "postgres-lost-reply",
		fault: "the reply to a commit is lost between PostgreSQL and the service",
		size: { record: 100, test: 1, planted: 5 },
		run: loseReply,
	},
	{
		name: "postgres-failover",
		fault: "`kill -9` of the primary, then promotion of a synchronous standby",
		size: { record: 50, test: 1 },
		run: failOver,
	},
	{
		name: "overload",
		fault: "lists over ten times as many connections as the peak needs",
		size: { record: 5, test: 1 },
		run: overload,
	},
	{
		name: "slow-header",
		fault: "sockets that send a header one byte per second",
		size: { record: 4_000, test: 200 },
		run: slowHeader,
	},
	{
		name: "slow-body",
		fault: "sockets that send a body one byte per second",
		size: { record: 4_000, test: 200 },
		run: slowBody,
	},
	{
		name: "slow-reader",
		fault: "sockets that request 165 KB each and read nothing",
		size: { record: 2_000, test: 100 },
		run: slowReader,
	},
];

function onBoth({
	run,
	...scenario
}: Omit<Scenario, "run"> & {
	run: (options: ScenarioOptions, database: Database) => Promise<Result>;
}): readonly Scenario[] {
	return [
		{
			...scenario,
			run: (options) =>
				run(options, { databaseUrl: `sqlite:${fileIn(options)}` }),
		},
		{
			...scenario,
			name: `postgres-${scenario.name}`,
			async run(options) {
				const server = await startPostgres(["max_connections=20"]);
				try {
					return await run(options, { databaseUrl: server.url, server });
				} finally {
					await server.remove();
				}
			},
		},
	];
}
