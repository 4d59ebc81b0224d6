// The bad lines of a file: reports the first ones, counts the others, and writes all of them to a file if a path is given.
import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { OperatorError, toReason } from "../../../domain/errors.ts";
import type { FileFormat } from "../../../domain/file-format.ts";
import { toCountText } from "../../../domain/quantity.ts";
import { toNote } from "../../../formats/notes.ts";
import { problemToText } from "../../../formats/problem.ts";
import type { BadLine, Stager } from "../../../imports/stage.ts";
import { maxListedErrors } from "../../../store/import.ts";
import { say, writeAll } from "../../terminal/print.ts";

export type BadLines = ReturnType<typeof openBadLines>;

/** Creates the file at once, so that an unwritable path fails before anything is read. */
export function openBadLines(path: string | undefined, format: FileFormat) {
	let count = 0;
	// An existing file may hold the lines of an earlier import.
	const file =
		path === undefined ? undefined : orCannotWrite(() => openSync(path, "wx"));

	function orCannotWrite<Result>(work: () => Result): Result {
		try {
			return work();
		} catch (error) {
			throw new OperatorError(
				`${path} cannot be written: ${toReason(error)}. Nothing was imported.`,
			);
		}
	}

	function write(...pieces: readonly Uint8Array[]): void {
		if (file === undefined) return;
		orCannotWrite(() => writeAll(file, Buffer.concat(pieces)));
	}

	function discard(): void {
		if (path !== undefined) rmSync(path, { force: true });
	}

	return {
		count: () => count,
		/** The file gets the header and the separator of the file with the line. */
		add({ line, problems, bytes }: BadLine, { head, separator }: Stager) {
			if (problems === undefined) return write(bytes);
			const text = problems.map(problemToText).join(" ");
			if (count < maxListedErrors) say(`line ${line}: ${text}`);
			if (count === 0) write(head());
			count++;
			write(Buffer.from(toNote(format, line, text, separator())), bytes);
		},
		/** Reports how many lines were only counted, and syncs the file. Without bad lines, removes it. */
		finish() {
			if (count > maxListedErrors)
				say(`and ${toCountText(count - maxListedErrors)} more`);
			if (file === undefined) return;
			fsyncSync(file);
			closeSync(file);
			if (count === 0) discard();
		},
		discard,
	};
}
