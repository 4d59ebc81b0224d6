// A file that says where the sandbox is, for programs that start it and wait until it is ready.
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { OperatorError, toReason } from "../../contract/errors.ts";

export interface ReadyFile {
	/** Written to a second file and renamed, so that no reader sees half of it. */
	readonly write: (ready: { url: string; key: string }) => void;
	/** Leaves the file of another sandbox that has replaced it. */
	readonly remove: () => void;
}

/** Removes a file that an earlier sandbox has left, since a program that waits for the file would read the old address. */
export function createReadyFile(path: string): ReadyFile {
	let written: string | undefined;
	explain(path, () => rmSync(path, { force: true }));
	return {
		write(ready) {
			const text = `${JSON.stringify(ready)}\n`;
			const beside = `${path}.${process.pid}`;
			explain(path, () => {
				writeFileSync(beside, text);
				renameSync(beside, path);
			});
			written = text;
		},
		remove() {
			if (written !== undefined && read(path) === written)
				rmSync(path, { force: true });
		},
	};
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
