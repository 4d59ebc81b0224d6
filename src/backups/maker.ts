// Makes the backups of a service, on request and by a schedule. Of all processes that use the database, only one makes a backup at a time.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { withTimeout } from "../domain/async.ts";
import { OperatorError, toReason } from "../domain/errors.ts";
import { list, object } from "../domain/object.ts";
import { anyText, count, decimal } from "../domain/scalar.ts";
import { readText } from "../domain/type.ts";
import { backupMs } from "../limits.ts";
import type { FailureLog, Log } from "../log.ts";
import { toOtherCommand } from "../program.ts";
import { type Backups, toDueTime } from "../store/backups.ts";
import { readDatabaseUrl } from "../store/database-url.ts";
import { type BackupFolder, openFolder, withNewest } from "./folder.ts";

/** Bounds of the pause between two looks at whether a backup is due. */
const pollMs = { min: 1_000, max: 10_000 };
/** How long the process of a backup has to remove its file after a signal. Then it is killed, and nobody waits for it. */
const graceMs = 2_000;

export interface BackupOptions {
	readonly folder: string;
	/** How many of the newest backups stay in the folder; all if not given. */
	readonly keep?: number | undefined;
	/** Interval of automatic backups; only on request if not given. */
	readonly everyMs?: number | undefined;
}

interface BackupJob extends BackupOptions {
	readonly database: string;
}

/** Makes backups on request and by a schedule, if there is a folder for them. */
export function startBackups(
	backups: Backups,
	{
		database,
		backups: options,
	}: { database: string; backups?: BackupOptions | undefined },
	failures: FailureLog,
	log: Log,
) {
	const folder = openFolder(options?.folder);
	// The first look, for whoever asks before a later one.
	folder.known();
	// The process of a backup could not read a database in memory.
	const maker =
		options === undefined || readDatabaseUrl(database).isInMemory
			? undefined
			: createBackupMaker(backups, { database, ...options }, log);
	const stopSchedule =
		maker && options?.everyMs
			? startSchedule(backups, maker, folder, options.everyMs, failures)
			: undefined;
	return {
		folder,
		maker,
		/** With the newest file of the folder. */
		read: async () => withNewest(await backups.read(), folder.known()),
		async stop(): Promise<void> {
			stopSchedule?.();
			await maker?.stop();
		},
	};
}

export type BackupMaker = ReturnType<typeof createBackupMaker>;

export function createBackupMaker(
	backups: Backups,
	job: BackupJob,
	log: Log,
	/** For tests. */
	{ ms = backupMs, command = toCommand(job) } = {},
) {
	const stopping = new AbortController();
	const running = new Set<Promise<unknown>>();

	async function makeAs(holder: string, begunAt: number): Promise<string> {
		try {
			const { path, ...made } = await runBackup(command, stopping.signal, ms);
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
		}
	}

	async function makeIfFree(everyMs?: number): Promise<string | undefined> {
		const holder = crypto.randomUUID();
		const begunAt = Date.now();
		const isBegun = await backups.begin(holder, begunAt, everyMs);
		return isBegun ? makeAs(holder, begunAt) : undefined;
	}

	return {
		/** Returns its name; undefined if another process makes one or, with `everyMs`, if none is due. A failure is logged and recorded. */
		make(everyMs?: number): Promise<string | undefined> {
			const making = makeIfFree(everyMs);
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

function toCommand({ database, folder, keep }: BackupJob) {
	return toOtherCommand(
		[
			...["backup", "--json", "--folder", folder],
			...(keep === undefined ? [] : ["--keep", `${keep}`]),
		],
		// Not as a flag: other users of the machine can read command lines.
		{ PETSTORE_DATABASE: database },
	);
}

/**
 * Runs `petstore backup` in a process of its own, so that it blocks neither the event loop nor a later backup, even if its disk hangs. It ends
 * with this process, after `ms`, or when `stopping` aborts. Rejects with an OperatorError that has the reason.
 */
async function runBackup(
	{ program, args, env }: ReturnType<typeof toOtherCommand>,
	stopping: AbortSignal,
	ms: number,
) {
	const child = spawn(program, args, {
		env,
		// It ends when the channel closes.
		stdio: ["ignore", "pipe", "pipe", "ipc"],
	});
	const ended = Promise.all([
		child.stdout === null ? "" : text(child.stdout),
		child.stderr === null ? "" : text(child.stderr),
		once(child, "exit"),
	]);
	const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
	const timer = setTimeout(abort, ms);
	stopping.addEventListener("abort", () => abort());
	if (stopping.aborted) abort();
	const result = await Promise.race([ended, aborted]);
	clearTimeout(timer);
	if (result === undefined) {
		child.kill();
		await withTimeout(graceMs, ended, () => new Error()).catch(() =>
			abandon(child),
		);
		throw new OperatorError(
			stopping.aborted
				? "The service stops."
				: `The backup was not complete after ${Math.round(ms / 1_000)} seconds.`,
		);
	}
	const [output, messages, [status, signal]] = result;
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

/** A process that waits for a dead disk cannot even be killed. This one must still be able to exit. */
function abandon(child: ChildProcess): void {
	child.kill("SIGKILL");
	child.stdout?.destroy();
	child.stderr?.destroy();
	if (child.connected) child.disconnect();
	child.unref();
}

/** Makes a backup in each period. Returns a function that stops it. */
export function startSchedule(
	backups: Backups,
	{ make }: Pick<BackupMaker, "make">,
	folder: BackupFolder,
	everyMs: number,
	failures: FailureLog,
): () => void {
	const stopping = new AbortController();
	const { signal } = stopping;

	async function makeIfDue(): Promise<number> {
		const now = Date.now();
		const found = await folder.list().catch(folder.known);
		const newest = withNewest(await backups.read(), found);
		const waitMs = toDueTime(newest, everyMs, now) - now;
		if (waitMs <= 0 && !signal.aborted) await make(everyMs);
		return Math.min(Math.max(waitMs, pollMs.min), pollMs.max);
	}

	async function run(): Promise<void> {
		while (!signal.aborted) {
			const waitMs = await makeIfDue().catch((error) => {
				// The maker has logged why a backup failed.
				if (!signal.aborted && !(error instanceof OperatorError))
					failures.reportWork(error, "no backup was made");
				return pollMs.max;
			});
			await sleep(waitMs, undefined, { signal }).catch(() => {});
		}
	}

	void run();
	return () => stopping.abort();
}
