// A file that says where the sandbox is, for programs that start it and wait until it is ready.
import {
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { OperatorError, toReason } from "../../../domain/errors.ts";
import { print } from "../../terminal/print.ts";

interface Ready {
	readonly url: string;
	readonly key: string;
}

export type ReadyFile = ReturnType<typeof createReadyFile>;

/** In place of a path. */
export const stdout = "-";

/** Removes a file that an earlier sandbox has left, since a program that waits for the file would read the old address. */
export function createReadyFile(path: string) {
	if (path === stdout)
		return { write: (ready: Ready) => print(toLine(ready)), remove() {} };
	let written: string | undefined;
	explain(path, () => removeRegular(path));
	return {
		/** Written to a second file and renamed, so that no reader sees half of it. */
		write(ready: Ready) {
			const text = toLine(ready);
			// A name that nobody can predict, and no file that is there: another user of the folder may have planted a link.
			const beside = `${path}.${crypto.randomUUID()}`;
			explain(path, () => {
				try {
					writeFileSync(beside, text, { flag: "wx" });
					renameSync(beside, path);
				} finally {
					rmSync(beside, { force: true });
				}
			});
			written = text;
		},
		/** Leaves the file of another sandbox that has replaced it. */
		remove() {
			if (written !== undefined && read(path) === written)
				rmSync(path, { force: true });
		},
	};
}

function toLine(ready: Ready): string {
	return `${JSON.stringify(ready)}\n`;
}

/** A device or a pipe is not ours to remove. */
function removeRegular(path: string): void {
	const stats = statSync(path, { throwIfNoEntry: false });
	if (stats !== undefined && !stats.isFile())
		throw new Error("it is not a regular file");
	rmSync(path, { force: true });
}

function read(path: string): string | undefined {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return undefined;
	}
}

function explain(path: string, work: () => void): void {
	try {
		work();
	} catch (error) {
		throw new OperatorError(
			`The file ${path} of --ready-file cannot be written: ${toReason(error)}.`,
		);
	}
}
