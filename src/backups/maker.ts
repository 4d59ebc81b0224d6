// Makes the backups of a service. Of all processes that use the database, only one makes a backup at a time.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { OperatorError, toReason } from "../domain/errors.ts";
import { list, object } from "../domain/object.ts";
import { anyText, count, decimal } from "../domain/scalar.ts";
import { readText } from "../domain/type.ts";
import { backupLeaseMs } from "../limits.ts";
import type { Log } from "../log/log.ts";
import { toOtherCommand } from "../program.ts";
import type { Backups } from "../store/archive/backups.ts";

export interface BackupJob {
	readonly database: string;
	readonly folder: string;
	readonly keep?: number | undefined;
}

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
		// If the database fails, the backup fails by itself.
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
				log.error({ folder: job.folder, reason }, "a backup failed");
				await backups.fail(holder, Date.now(), reason);
			}
			throw error;
		} finally {
			clearInterval(timer);
		}
	}

	return {
		folder: job.folder,
		/** Returns its name; undefined if another process makes one or, with `everyMs`, if none is due. A failure is logged and recorded. */
		async make(everyMs?: number): Promise<string | undefined> {
			const holder = crypto.randomUUID();
			const begunAt = Date.now();
			if (!(await backups.begin(holder, begunAt, everyMs))) return undefined;
			const making = makeAs(holder, begunAt);
			const ended = making.catch(() => {});
			running.add(ended);
			return making.finally(() => running.delete(ended));
		},
		/** Ends a running backup, which leaves no file. Must be called before the store closes. */
		async stop(): Promise<void> {
			stopping.abort();
			await Promise.all(running);
		},
	};
}

/** What `petstore backup --json` prints. */
export const madeBackup = object("", "A backup that was made.", {
	path: anyText("The path of its file."),
	animals: count("Its animals."),
	bytes: count("Its size."),
	seconds: decimal("How long it took.", 0, 1e9),
	removed: list(anyText("The name of an older backup."), 100_000),
});

/**
 * Runs `petstore backup` in a process of its own, so that it does not block the event loop. It ends with this process, or when `stopping`
 * aborts, and then leaves no file. Rejects with an OperatorError that has the reason.
 */
async function runBackup(
	{ database, folder, keep }: BackupJob,
	stopping: AbortSignal,
) {
	const { program, args, env } = toOtherCommand(
		[
			...["backup", "--json", "--folder", folder],
			...(keep === undefined ? [] : ["--keep", `${keep}`]),
		],
		// Not as a flag: other users of the machine can read command lines.
		{ PETSTORE_DATABASE: database },
	);
	const child = spawn(program, args, {
		env,
		// It ends when the channel closes.
		stdio: ["ignore", "pipe", "pipe", "ipc"],
	});
	stopping.addEventListener("abort", () => child.kill());
	const [output, messages, [status, signal]] = await Promise.all([
		readAll(child.stdout),
		readAll(child.stderr),
		once(child, "exit"),
	]);
	if (status !== 0) {
		const last = [...messages.matchAll(/^petstore: (.+)$/gm)].at(-1)?.[1];
		const [other = ""] = messages.trim().split("\n");
		throw new OperatorError(
			last ??
				`The process of the backup ended with ${signal ?? status}${other && `: ${other}`}.`,
		);
	}
	return readText(madeBackup, output, "the backup").value;
}

async function readAll(output: Readable | null): Promise<string> {
	return output === null ? "" : text(output);
}
