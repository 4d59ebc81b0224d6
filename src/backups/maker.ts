// Makes the backups of a service. Of all processes that use the database, one makes a backup at a time.
import { basename } from "node:path";
import { toReason } from "../domain/errors.ts";
import { backupLeaseMs } from "../limits.ts";
import type { Log } from "../log/log.ts";
import type { Backups } from "../store/archive/backups.ts";
import { type BackupJob, runBackup } from "./run.ts";

export type BackupMaker = ReturnType<typeof createBackupMaker>;

export function createBackupMaker(backups: Backups, job: BackupJob, log: Log) {
	const stopping = new AbortController();
	const running = new Set<Promise<unknown>>();

	async function makeAs(holder: string, begunAt: number): Promise<string> {
		const lost = new AbortController();
		const renew = async () => {
			const isHeld = await backups.renew(holder, Date.now());
			if (!isHeld) lost.abort();
		};
		// If the database fails, the backup does too.
		const timer = setInterval(() => renew().catch(() => {}), backupLeaseMs / 3);
		try {
			const { path, ...made } = await runBackup(
				job,
				AbortSignal.any([stopping.signal, lost.signal]),
			);
			await backups.succeed(holder, begunAt);
			const name = basename(path);
			log.info({ backup: name, ...made }, "a backup was made");
			return name;
		} catch (error) {
			const reason = toReason(error);
			if (stopping.signal.aborted) await backups.cancel(holder);
			else {
				log.error({ reason }, "a backup failed");
				await backups.fail(holder, Date.now(), reason);
			}
			throw error;
		} finally {
			clearInterval(timer);
		}
	}

	return {
		folder: job.folder,
		/** Returns its name; undefined if another process makes one now or, with `everyMs`, if none is due. A failure is logged and recorded. */
		async make(everyMs?: number): Promise<string | undefined> {
			const holder = crypto.randomUUID();
			const begunAt = Date.now();
			if (!(await backups.begin(holder, begunAt, everyMs))) return undefined;
			const making = makeAs(holder, begunAt);
			const ended = making.catch(() => {});
			running.add(ended);
			return making.finally(() => running.delete(ended));
		},
		/** Ends a backup that is being made, which leaves nothing. Must be called before the store is closed. */
		async stop(): Promise<void> {
			stopping.abort();
			await Promise.all(running);
		},
	};
}
