// Runs `petstore backup` in a process of its own, which takes neither processor nor memory from requests. It ends with this process.
import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { OperatorError } from "../domain/errors.ts";
import { toOtherCommand } from "../program.ts";

/** What to back up, where to, and how many backups to keep there. */
export interface BackupJob {
	readonly database: string;
	readonly folder: string;
	readonly keep?: number | undefined;
}

/** What `petstore backup --json` prints. */
export interface MadeBackup {
	readonly path: string;
	readonly animals: number;
	readonly bytes: number;
	readonly seconds: number;
	readonly removed: readonly string[];
}

/** Rejects with an OperatorError that has the reason. When `stopping` aborts, the process ends and leaves nothing. */
export async function runBackup(
	{ database, folder, keep }: BackupJob,
	stopping: AbortSignal,
): Promise<MadeBackup> {
	const { program, args, env } = toOtherCommand(
		[
			...["backup", "--json", "--folder", folder],
			...(keep === undefined ? [] : ["--keep", `${keep}`]),
		],
		// Not as a flag, since other users of the machine can read the command lines of its processes.
		{ PETSTORE_DATABASE: database },
	);
	const child = spawn(program, args, {
		env,
		// It ends when the channel closes.
		stdio: ["ignore", "pipe", "pipe", "ipc"],
	});
	const stop = () => child.kill();
	stopping.addEventListener("abort", stop);
	try {
		const [output, messages, end] = await Promise.all([
			readAll(child.stdout),
			readAll(child.stderr),
			new Promise((resolve, reject) => {
				child
					.once("exit", (status, signal) => resolve(signal ?? status))
					.once("error", reject);
			}),
		]);
		if (end !== 0) throw new OperatorError(toFailureReason(messages, end));
		const made: MadeBackup = JSON.parse(output);
		return made;
	} finally {
		stopping.removeEventListener("abort", stop);
	}
}

async function readAll(output: Readable | null): Promise<string> {
	return output === null ? "" : text(output);
}

/** The last message of the command, or how its process ended. */
function toFailureReason(messages: string, end: unknown): string {
	const message = [...messages.matchAll(/^petstore: (.+)$/gm)].at(-1)?.[1];
	return message ?? `The process of the backup ended with ${end}.`;
}
