// Power cuts. The process is killed, and its files are replaced by what a disk may hold after losing the page cache.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterPowerCut, type Call, readRecord } from "../disk/record.ts";
import { buildShim, type Shim } from "../disk/shim.ts";
import { injectUnderLoad, type Load } from "../injection/inject.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import { fileIn, openService } from "../service.ts";

export async function cutPower(options: ScenarioOptions): Promise<Result> {
	const path = fileIn(options);
	const shim = buildShim(options.folder);
	const service = await openService(options, { env: shim.env });
	// The record has only changes, so it needs the complete files from before its first call.
	await service.stop();
	let before = readFiles(path);
	shim.beginRecord();
	await service.start();
	const result = await injectUnderLoad(options, {
		writers: 32,
		killsService: true,
		url: service.url,
		async inject(load) {
			if (Math.random() < 0.5) await failSyncs(load, shim);
			await service.kill();
			const calls = readRecord(readFileSync(shim.recordPath));
			before = toFilesAfterCut(before, calls);
			writeFiles(path, before);
			shim.beginRecord();
			const recovered = load.measureRecovery();
			await service.start();
			return recovered;
		},
	});
	await service.stop();
	return result;
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

/** The service must not have treated a sync that failed before the cut as successful. */
async function failSyncs(load: Load, shim: Shim): Promise<void> {
	const fault = Math.random() < 0.5 ? "no-sync" : "no-database-sync";
	shim.switchOn(fault);
	await load.refusal();
	await Bun.sleep(Math.random() * 50);
	shim.switchOff(fault);
	await load.writers.progress();
}
