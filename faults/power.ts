// Power cuts: the process is killed, and its files become what a disk without a page cache could hold of them.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { refusal } from "./disk.ts";
import { afterPowerCut, type Call, readRecord } from "./record.ts";
import { buildShim, type Shim } from "./shim.ts";
import { openShop } from "./shop.ts";
import type { Tally } from "./tally.ts";
import { type Load, type Setting, strikeUnderLoad } from "./trial.ts";

export async function cutPower(setting: Setting): Promise<Tally> {
	const shim = buildShim(setting.folder);
	const shop = await openShop(setting, shim.env);
	// From here on the files are known whole.
	await shop.stop();
	let before = readFiles(shop.path);
	shim.beginRecord();
	await shop.start();
	const tally = await strikeUnderLoad(setting, {
		writers: 32,
		kills: true,
		urls: () => [shop.url()],
		async strike(load) {
			if (Math.random() < 0.5) await failSyncs(load, shim);
			await shop.kill();
			const calls = readRecord(readFileSync(shim.recordPath));
			before = toFilesAfterCut(before, calls);
			writeFiles(shop.path, before);
			shim.beginRecord();
			const recovered = load.recovery();
			await shop.start();
			return recovered;
		},
	});
	await shop.stop();
	return tally;
}

/** Without the index of the log, which is made anew from it. */
interface Files {
	readonly database: Buffer;
	/** Undefined where there is none. */
	readonly log: Buffer | undefined;
}

function readFiles(path: string): Files {
	const log = `${path}-wal`;
	return {
		database: readFileSync(path),
		log: existsSync(log) ? readFileSync(log) : undefined,
	};
}

function writeFiles(path: string, { database, log }: Files): void {
	for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
	writeFileSync(path, database);
	if (log !== undefined) writeFileSync(`${path}-wal`, log);
}

function toFilesAfterCut(before: Files, calls: readonly Call[]): Files {
	if (calls.some(({ file }) => file === "journal"))
		throw new Error("a rollback journal was used, which is not modelled");
	const of = (wanted: Call["file"]) =>
		calls.filter(({ file }) => file === wanted);
	// A new file whose folder was not synced is there by chance.
	const hasLog =
		before.log !== undefined ||
		of("folder").some(({ kind }) => kind === "sync") ||
		Math.random() < 0.5;
	return {
		database: afterPowerCut(before.database, of("database")),
		log: hasLog
			? afterPowerCut(before.log ?? Buffer.alloc(0), of("log"))
			: undefined,
	};
}

/** A sync that failed some time before the cut must not have been taken for one that worked. */
async function failSyncs(load: Load, shim: Shim): Promise<void> {
	const fault = Math.random() < 0.5 ? "no-sync" : "no-database-sync";
	shim.switchOn(fault);
	await refusal(load);
	await Bun.sleep(Math.random() * 50);
	shim.switchOff(fault);
	await load.writers.progress();
}
