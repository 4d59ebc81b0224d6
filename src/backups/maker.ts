// Makes the backups of a service, on request and by a schedule, and restores them. Each is a command in a process of its own.
import { basename, join } from "node:path";
import { withTimeout } from "../domain/async.ts";
import {
	Failure,
	isBusy,
	OperatorError,
	toReason,
	unavailable,
} from "../domain/errors.ts";
import { object } from "../domain/object.ts";
import { anyText, count, int64 } from "../domain/scalar.ts";
import { optional, readText } from "../domain/type.ts";
import { longWriteMs } from "../limits.ts";
import type { FailureLog, Log } from "../log.ts";
import { toOtherCommand } from "../program.ts";
import { type Backups, toDueTime } from "../store/backups.ts";
import { openFolder } from "./folder.ts";
import { madeBackup } from "./make.ts";

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

	const run = (words: readonly string[], ms: number, author = "") =>
		runCommand([...words, "--folder", folder], ms, {
			// Not a flag: other users of the machine can read command lines.
			PETSTORE_DATABASE: database,
			[authorVariable]: author,
		});

	async function makeNow(begunAt: number): Promise<string> {
		try {
			const kept = keep === undefined ? [] : ["--keep", `${keep}`];
			const output = await run(["backup", "--json", ...kept], ms);
			const { path, ...made } = readText(madeBackup, output, "it").value;
			await backups.succeed(begunAt);
			log.info("a backup was made", { backup: basename(path), ...made });
			return basename(path);
		} catch (error) {
			const reason = toReason(error);
			log.error("a backup failed", { folder, reason });
			await backups.fail(Date.now(), reason);
			throw new OperatorError(reason);
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
		async restore(name: string, author: string) {
			const words = ["restore", join(folder, name), "--replace"];
			const output = await run(words, restoreMs, author).catch((error) => {
				throw unavailable(toReason(error));
			});
			const report = readText(restoredBackup, output, "it").value;
			const { animals, backup, problem } = report;
			if (problem !== undefined) throw new Failure("invalid_file", problem);
			log.info("a backup was restored", { restored: name, animals, backup });
			return report;
		},
	};
}

/** The variable with the author of a restore. The command then asks nothing, and prints a `restoredBackup`. */
export const authorVariable = "RESTORE_AUTHOR";

export const restoredBackup = object("", "A backup that was restored.", {
	animals: optional(count("Its animals.")),
	backup: optional(anyText("The name of the backup of before.")),
	edit: optional(int64("The edit.")),
	problem: optional(anyText("Why the file cannot be restored.")),
});

/**
 * Runs a command of this program, which ends when this process does. Returns what it prints, or rejects with its last sentence. After `ms` it
 * is killed, and nobody waits for it: on a dead disk it may never end.
 */
async function runCommand(
	words: readonly string[],
	ms: number,
	variables: Readonly<Record<string, string>>,
): Promise<string> {
	const { program, args, env } = toOtherCommand(words, variables);
	const child = Bun.spawn([program, ...args], {
		env,
		stdio: ["ignore", "pipe", "pipe"],
		// It ends when the channel closes.
		ipc() {},
	});
	const ended = Promise.all([
		new Response(child.stdout).text(),
		new Response(child.stderr).text(),
		child.exited,
	]);
	const [output, messages, status] = await withTimeout(ms, ended, () => {
		child.kill("SIGKILL");
		return new OperatorError(
			`It was not complete after ${ms / 1_000} seconds, and was stopped. petstore ${words[0]} has no limit.`,
		);
	});
	if (status === 0) return output;
	const sentences = messages.match(/(?<=^petstore: ).+$/gm) ?? [];
	throw new OperatorError(
		sentences.at(-1) ??
			`Its process ended with ${child.signalCode ?? status}: ${messages.split("\n", 1)}. It is not known what it has done.`,
	);
}
