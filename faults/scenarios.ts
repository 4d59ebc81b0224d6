// The scenarios and their sizes.
import { librarySkipReason } from "../test/harness/c-library.ts";
import { startPostgres } from "../test/harness/postgres/server.ts";
import { slowBody, slowHeader, slowReader } from "./load/attack.ts";
import { overload } from "./load/overload.ts";
import type { Result, Scenario, ScenarioOptions } from "./scenario.ts";
import { killBackup, killRestore } from "./scenarios/backups.ts";
import { fillDisk } from "./scenarios/disk.ts";
import { killDuringEdits } from "./scenarios/edits.ts";
import { killImport } from "./scenarios/import.ts";
import { cutPower } from "./scenarios/power.ts";
import {
	breakServer,
	killCopies,
	killDuringAdds,
} from "./scenarios/servers.ts";
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
			"`kill -9` of one of two services, or a restart of PostgreSQL, while clients change, remove and import animals and others read in every way",
		size: { record: 200, test: 2, planted: 8 },
		run: killCopies,
	}),
	...onBoth({
		name: "kill-edits",
		fault:
			"`kill -9` of the service while it changes or removes 4,000 animals by a filter, or undoes that",
		size: { record: 50, test: 2, planted: 4 },
		run: killDuringEdits,
	}),
	...onBoth({
		name: "kill-import",
		fault:
			"`import --update` is killed, or the disk of a SQLite file is full, while the service accepts adds",
		size: { record: 200, test: 1, planted: 4 },
		skipReason: librarySkipReason,
		run: killImport,
	}),
	{
		name: "kill-backup",
		fault:
			"`kill -9` of `backup` under 4 writers; in each fourth round its disk is full",
		size: { record: 200, test: 1, planted: 4 },
		skipReason: librarySkipReason,
		run: onFile(killBackup),
	},
	{
		name: "kill-restore",
		fault:
			"`kill -9` of `restore --replace` under 4 writers; in each fourth round its disk is full",
		size: { record: 200, test: 2, planted: 6 },
		skipReason: librarySkipReason,
		run: onFile(killRestore),
	},
	{
		name: "disk-full",
		fault: "the disk is full (`ENOSPC`) until adds are refused",
		size: { record: 100, test: 1, planted: 2 },
		skipReason: librarySkipReason,
		run: onFile(fillDisk),
	},
	{
		name: "power-loss",
		mayDamageFiles: true,
		fault:
			"a power cut, after which the files have all synced data and a random part of the other sectors. Syncs fail before half of the cuts",
		size: { record: 200, test: 1, planted: 4 },
		skipReason: librarySkipReason,
		run: onFile(cutPower),
	},
	...[0, 10].flatMap(onCopies),
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

type Run = (options: ScenarioOptions, database: Database) => Promise<Result>;

function onFile(run: Run): Scenario["run"] {
	return (options) =>
		run(options, { databaseUrl: `sqlite:${fileIn(options)}` });
}

function onPostgres(run: Run): Scenario["run"] {
	return async (options) => {
		const server = await startPostgres(["max_connections=20"]);
		const database = { databaseUrl: server.url, server };
		return run(options, database).finally(server.remove);
	};
}

function onBoth({
	run,
	...scenario
}: Omit<Scenario, "run"> & { run: Run }): readonly Scenario[] {
	const name = `postgres-${scenario.name}`;
	return [
		{ ...scenario, run: onFile(run) },
		{ ...scenario, name, run: onPostgres(run) },
	];
}

/** Four copies, with readers in every way. */
function onCopies(flushMs: number): readonly Scenario[] {
	const slow = flushMs > 0;
	return [
		{
			name: "postgres-restart",
			fault:
				"immediate shutdown of PostgreSQL, `kill -9` of a session, or a lost reply to a commit",
			setup: { standbys: 0, isSynchronous: false },
			size: { record: 100, test: 2, planted: 3 },
		},
		{
			name: "postgres-failover",
			fault:
				"`kill -9` of the primary, then promotion of a synchronous standby",
			setup: { standbys: 2, isSynchronous: true },
			size: { record: 50, test: 1, planted: 2 },
		},
		{
			name: "postgres-lost-commits",
			fault: "the same with a standby that lacks the last commits",
			setup: { standbys: 1, isSynchronous: false },
			size: { record: 50, test: 1, planted: 2 },
		},
	].map(({ setup, name, fault, size }) => ({
		name: slow ? `${name}-slow-flush` : name,
		fault: slow ? `${fault}; each flush takes ${flushMs} ms longer` : fault,
		size,
		...(slow && { skipReason: librarySkipReason }),
		run: (options) => breakServer(options, { ...setup, flushMs }),
	}));
}
