// Power cuts. The process is killed, and its files are replaced by what a disk may hold after losing the page cache.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterPowerCut, type Call, readRecord } from "../disk/record.ts";
import { buildShim } from "../disk/shim.ts";
import { inject, type Moment } from "../inject.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import { type Database, fileIn } from "../service.ts";
import { failDisk } from "./disk.ts";

export function cutPower(
	options: ScenarioOptions,
	{ databaseUrl }: Database,
): Promise<Result> {
	const path = fileIn(options);
	const shim = buildShim(options.folder);
	let before: Files | undefined;

	async function fault({ copies, witnesses, wrong }: Moment): Promise<void> {
		const [service] = copies;
		// The record has only changes, so it needs the complete files from before its first call.
		if (before === undefined) {
			await service?.stop();
			before = readFiles(path);
			shim.beginRecord();
			await service?.start();
			await witnesses.recovery();
		}
		if (Math.random() < 0.5) {
			// The service must not take a sync that failed before the cut for a successful one.
			const failure = Math.random() < 0.5 ? "no-sync" : "no-database-sync";
			await failDisk(shim, failure, 50, witnesses, wrong);
			// It may write nothing until its next start.
			await witnesses.recovery().catch(() => {});
		}
		await service?.kill();
		const calls = readRecord(readFileSync(shim.recordPath));
		before = toFilesAfterCut(before, calls);
		writeFiles(path, before);
		shim.beginRecord();
		await service?.start();
	}

	// A power cut ends all processes: that of a backup would go on with the files of before, and change them unrecorded.
	const env = { ...shim.env, PETSTORE_BACKUP_EVERY: "0" };
	return inject(options, {
		...{ databaseUrl, adders: 32, env, faults: [fault] },
		killsService: true,
	});
}

/** Without the WAL index (-shm), which SQLite rebuilds from the WAL. */
interface Files {
	readonly database: Buffer;
	/** Undefined if the WAL file does not exist. */
	readonly wal: Buffer | undefined;
}

function readFiles(path: string): Files {
	const wal = `${path}-wal`;
	return {
		database: readFileSync(path),
		wal: existsSync(wal) ? readFileSync(wal) : undefined,
	};
}

function writeFiles(path: string, { database, wal }: Files): void {
	for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
	writeFileSync(path, database);
	if (wal !== undefined) writeFileSync(`${path}-wal`, wal);
}

function toFilesAfterCut(before: Files, calls: readonly Call[]): Files {
	if (calls.some(({ file }) => file === "journal"))
		throw new Error("a rollback journal was used, which is not simulated");
	const callsOn = (wanted: Call["file"]) =>
		calls.filter(({ file }) => file === wanted);
	// A new file may be missing after the cut if its folder was not synced.
	const hasWal =
		before.wal !== undefined ||
		callsOn("folder").some(({ kind }) => kind === "sync") ||
		Math.random() < 0.5;
	return {
		database: afterPowerCut(before.database, callsOn("database")),
		wal: hasWal
			? afterPowerCut(before.wal ?? Buffer.alloc(0), callsOn("wal"))
			: undefined,
	};
}
