// What is wrong with the lines of a file: tells the first of them, counts the others, and writes the lines to a file if that is asked for.
import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { OperatorError, toReason } from "../../contract/errors.ts";
import { maxToldErrors } from "../../limits.ts";
import { say, writeAll } from "../print.ts";

export interface BadLines {
	readonly count: () => number;
	/** `bytes` are the line as it is in the file, and `header` what the file of bad lines begins with. */
	readonly add: (
		line: number,
		problem: string,
		bytes: Uint8Array,
		header: () => Uint8Array,
	) => void;
	/** Further bytes of the last line. */
	readonly addRest: (bytes: Uint8Array) => void;
	/** Says how many were not told, and makes the file durable. */
	readonly finish: () => void;
	/** Removes the file. */
	readonly discard: () => void;
}

export function createBadLines(
	/** Where the lines go; undefined if they are only told. */
	path: string | undefined,
): BadLines {
	let count = 0;
	let file: number | undefined;

	function write(bytes: Uint8Array): void {
		if (path === undefined) return;
		try {
			// A file that is there may hold the lines of an earlier import.
			file ??= openSync(path, "wx");
			writeAll(file, bytes);
		} catch (error) {
			throw new OperatorError(
				`${path} cannot be written: ${toReason(error)}. Nothing was added.`,
			);
		}
	}

	return {
		count: () => count,
		add(line, problem, bytes, header) {
			if (count < maxToldErrors) say(`line ${line}: ${problem}`);
			if (count === 0) write(header());
			count++;
			write(bytes);
		},
		addRest: write,
		finish() {
			if (count > maxToldErrors) say(`and ${count - maxToldErrors} more`);
			if (file === undefined) return;
			fsyncSync(file);
			closeSync(file);
		},
		discard() {
			if (file !== undefined && path !== undefined)
				rmSync(path, { force: true });
		},
	};
}
