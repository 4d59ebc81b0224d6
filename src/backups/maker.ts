// Makes the backups of a service, on request and by a schedule, and restores them. Each is the task of a process of its own.
import { basename, dirname, isAbsolute, resolve } from "node:path";
import { withTimeout } from "../domain/async.ts";
import {
	Failure,
	isBusy,
	OperatorError,
	toReason,
	unavailable,
} from "../domain/errors.ts";
import { longWriteMs } from "../limits.ts";
import type { FailureLog, Log } from "../log.ts";
import { toTaskCommand } from "../program.ts";
import { readDatabaseUrl } from "../store/database/database-url.ts";
import { type Backups, toDueTime } from "../store/files/backups.ts";
import { openFolder } from "./folder.ts";
import type { Made } from "./make.ts";

/** How often the service looks whether a backup is due. First when it has started: a backup slows a start down. */
const lookEveryMs = 10_000;
const firstLookMs = 1_000;

/** A backup of the service is killed after this time. Until then, this process makes no other. */
const backupMs = 30 * 60_000;

export interface BackupOptions {
	readonly folder: string;
	/** How many of the newest backups stay in the folder; all if not given. */
	readonly keep?: number;
	/** Interval of automatic backups; only on request if 0 or not given. Another process makes them, so a database in memory has none. */
	readonly everyMs?: number;
}

type BackupJob = BackupOptions & { readonly database: string };

/** Makes backups on request and by a schedule, if there is a folder for them. */
export function startBackups(
	backups: Backups,
	options: BackupJob | undefined,
	failures: FailureLog,
	log: Log,
) {
	const folder = openFolder(options?.folder);
	const maker = options && createBackupMaker(backups, options, log);
	const { everyMs = 0 } = options ?? {};
	const timers: Timer[] = [];
	const read = async () => folder.withNewest(await backups.read());

	async function makeIfDue(): Promise<void> {
		try {
			const now = Date.now();
			if (toDueTime(await read(), everyMs, now) <= now)
				await maker?.make(everyMs);
		} catch (error) {
			// The maker has logged why a backup failed. During a long write none is begun; the next look tries again.
			if (!(error instanceof OperatorError || isBusy(error)))
				failures.reportWork(error, "no backup was made");
		}
	}

	if (maker && everyMs > 0)
		timers.push(
			setTimeout(makeIfDue, firstLookMs),
			setInterval(makeIfDue, Math.min(lookEveryMs, everyMs / 2)),
		);
	return {
		folder,
		maker,
		read,
		stop: () => timers.forEach(clearTimeout),
	};
}

export type BackupMaker = ReturnType<typeof createBackupMaker>;

export function createBackupMaker(
	backups: Backups,
	options: BackupJob,
	log: Log,
	/** For tests. */
	{ ms = backupMs, restoreMs = longWriteMs } = {},
) {
	const { database, folder, keep } = options;
	let isMaking = false;

	const run = <Done>(task: Task, ms: number) =>
		runTask<Done>(task, ms, (animals) =>
			log.info(`a ${task.kind} is running`, { animals }),
		).catch((error) => {
			const { cause } = error;
			if (cause) log.error(`a ${task.kind} ended`, { messages: cause });
			throw error;
		});
	const toReply = (sentence: string) => withoutPaths(sentence, options);

	async function makeNow(begunAt: number): Promise<string> {
		try {
			const task = { kind: "backup", database, folder, keep } as const;
			const { path, ...made } = await run<Made>(task, ms);
			await backups.succeed(begunAt);
			log.info("a backup was made", { backup: basename(path), ...made });
			return basename(path);
		} catch (error) {
			const reason = toReason(error);
			log.error("a backup failed", { folder, reason });
			const told = toReply(reason);
			await backups.fail(Date.now(), told);
			throw new OperatorError(told);
		}
	}

	return {
		options,
		/** Returns its name; undefined if this process makes one already or, with `everyMs`, if none is due. A failure is logged and recorded. */
		async make(everyMs?: number): Promise<string | undefined> {
			if (isMaking) return undefined;
			isMaking = true;
			try {
				const begunAt = Date.now();
				const isBegun = await backups.begin(begunAt, everyMs);
				return isBegun ? await makeNow(begunAt) : undefined;
			} finally {
				isMaking = false;
			}
		},
		/** Replaces the content of the database by that of a backup, and makes a backup of before first. */
		async restore(name: string, by: string) {
			const task = { kind: "restore", database, folder, name, by } as const;
			const done = await run<Restored>(task, restoreMs).catch((error) => {
				const reason = toReason(error);
				log.error("a restore failed", { restored: name, reason });
				throw unavailable(toReply(reason));
			});
			if ("problem" in done)
				throw new Failure("invalid_file", toReply(done.problem));
			const { animals, backup } = done;
			log.info("a backup was restored", { restored: name, animals, backup });
			return done;
		},
	};
}

/** A reply names files of the server without their folders. The log has them. */
function withoutPaths(sentence: string, { folder, database }: BackupJob) {
	const { path = "" } = readDatabaseUrl(database);
	const place = isAbsolute(path) ? `${dirname(path)}/` : "";
	return [`${folder}/`, `${resolve(folder)}/`, place]
		.reduce((text, one) => (one ? text.replaceAll(one, "") : text), sentence)
		.replaceAll(folder, "the backup folder");
}

export type Task = {
	readonly database: string;
	readonly folder: string;
} & (
	| { readonly kind: "backup"; readonly keep: number | undefined }
	/** `by` is the author. */
	| { readonly kind: "restore"; readonly name: string; readonly by: string }
);

/** What the process tells: how many animals it has copied so far, and at the end what it has done, or why it has not. */
export type Message<Done> =
	| { readonly progress: number }
	| { readonly result: Done }
	| { readonly failure: string };

/** `backup` is the name of the backup of before, `problem` why the file cannot be restored. */
export type Restored =
	| {
			readonly animals: number;
			readonly backup: string;
			readonly edit: bigint | undefined;
	  }
	| { readonly problem: string };

/**
 * Does the task in a process of its own, which ends when this one does. After `ms` it is killed, and nobody waits for it: on a dead disk it
 * may never end.
 */
async function runTask<Done>(
	task: Task,
	ms: number,
	onProgress: (animals: number) => void,
): Promise<Done> {
	const ends: Exclude<Message<Done>, { readonly progress: number }>[] = [];
	const child = Bun.spawn(toTaskCommand(), {
		// Without this line it gets the environment of the start.
		env: process.env,
		stdio: ["ignore", "ignore", "pipe"],
		ipc(message: Message<Done>) {
			if ("progress" in message) return onProgress(message.progress);
			ends.push(message);
			child.disconnect();
		},
	});
	child.send(task);
	const ended = Promise.all([new Response(child.stderr).text(), child.exited]);
	const [messages, status] = await withTimeout(ms, ended, () => {
		child.kill("SIGKILL");
		return new OperatorError(
			`It was not complete after ${ms / 1_000} seconds, and was stopped. petstore ${task.kind} has no limit.`,
		);
	});
	const [end] = ends;
	if (end === undefined)
		throw Object.assign(
			new OperatorError(
				`Its process ended with ${child.signalCode ?? status}. It is not known what it has done.`,
			),
			{ cause: messages },
		);
	if ("failure" in end) throw new OperatorError(end.failure);
	return end.result;
}
