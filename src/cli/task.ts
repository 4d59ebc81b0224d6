// The process that makes or restores a backup for a service. It gets its task and tells what comes of it in messages.
import { once } from "node:events";
import { basename, join } from "node:path";
import { readBackupName } from "../backups/folder.ts";
import { openSound } from "../backups/make.ts";
import type { Message, Restored, Task } from "../backups/maker.ts";
import { OperatorError } from "../domain/errors.ts";
import { toQuantity } from "../domain/quantity.ts";
import { readDatabaseUrl } from "../store/database/database-url.ts";
import { backUp } from "./commands/backup.ts";
import { replaceBy } from "./commands/restore.ts";
import { createProgress, toSentence } from "./terminal/print.ts";
import { watchInterruption } from "./terminal/signal.ts";

export async function doTask(): Promise<void> {
	const [task]: Task[] = await once(process, "message");
	if (task === undefined) return;
	const message = await toMessage(task);
	if (!process.connected) return;
	process.send?.(message);
	// The service has read it.
	await once(process, "disconnect");
}

async function toMessage(task: Task): Promise<Message<unknown>> {
	try {
		return {
			result: await (task.kind === "backup" ? make(task) : restore(task)),
		};
	} catch (error) {
		const failure = toSentence(error);
		if (failure === undefined) throw error;
		return { failure };
	}
}

const showProgress = createProgress(false, (progress) => {
	process.send?.({ progress } satisfies Message<never>);
});

function make({ database, folder, keep }: Task & { kind: "backup" }) {
	const signal = watchInterruption("no file was left");
	const place = { folder };
	const url = readDatabaseUrl(database);
	return backUp(url, place, { signal, showProgress, keep });
}

async function restore({
	name,
	by,
	...task
}: Task & { kind: "restore" }): Promise<Restored> {
	const backup = openNamed(task.folder, name);
	if (typeof backup === "string") return { problem: backup };
	using sound = backup;
	const { saved, edit } = await replaceBy(
		sound.runIn,
		{
			database: readDatabaseUrl(task.database),
			folder: task.folder,
			signal: watchInterruption("nothing was restored"),
			showProgress,
		},
		{ by, at: Date.now() },
	);
	return { animals: sound.animals, backup: basename(saved), edit };
}

/** Returns what is wrong with the file. The caller has confirmed the number of animals in its name. */
function openNamed(folder: string, name: string) {
	try {
		const backup = openSound(join(folder, name));
		const named = readBackupName(name)?.animals;
		if (named === backup.animals) return backup;
		backup[Symbol.dispose]();
		return `The backup has ${toQuantity(backup.animals, "animal")}, and its name says ${named}.`;
	} catch (error) {
		if (error instanceof OperatorError) return error.message;
		throw error;
	}
}
