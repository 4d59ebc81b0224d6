// A file that says where the sandbox is, for programs that start it and wait until it is ready.
import {
	existsSync,
	readFileSync,
	renameSync,
	unlinkSync,
	writeFileSync,
} from "node:fs";
import { OperatorError, toReason } from "../../contract/errors.ts";

export interface ReadyFile {
	/** Nobody sees a part of it: it is written beside, and renamed into place. */
	readonly write: (ready: { url: string; key: string }) => void;
	/** Leaves the file of another sandbox that has replaced it. */
	readonly remove: () => void;
}

/** Removes a file that an earlier sandbox has left, since whoever waits would take it for this one's. */
export function createReadyFile(path: string): ReadyFile {
	let written: string | undefined;
	explain(path, () => {
		if (existsSync(path)) unlinkSync(path);
	});
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
			if (written !== undefined && read(path) === written) unlinkSync(path);
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
