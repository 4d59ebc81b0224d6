// A file that says where the sandbox is, for programs that start it and wait until it is ready.
import {
	existsSync,
	readFileSync,
	renameSync,
	unlinkSync,
	writeFileSync,
} from "node:fs";
import { OperatorError, toReason } from "../../contract/errors.ts";
import { print } from "../print.ts";

interface Ready {
	readonly url: string;
	readonly key: string;
}

export interface ReadyFile {
	/** Nobody sees a part of it: it is written beside, and renamed into place. */
	readonly write: (ready: Ready) => void;
	/** Leaves the file of another sandbox that has replaced it. */
	readonly remove: () => void;
}

/** In place of a path. */
export const stdout = "-";

/** Removes a file that an earlier sandbox has left, since whoever waits would take it for this one's. */
export function createReadyFile(path: string): ReadyFile {
	if (path === stdout) return onStdout;
	let written: string | undefined;
	explain(path, () => {
		if (existsSync(path)) unlinkSync(path);
	});
	return {
		write(ready) {
			const text = toLine(ready);
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

const onStdout: ReadyFile = {
	write: (ready) => print(toLine(ready)),
	remove() {},
};

function toLine(ready: Ready): string {
	return `${JSON.stringify(ready)}\n`;
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
