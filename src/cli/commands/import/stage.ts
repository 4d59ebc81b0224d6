// Reads all lines of a file. Good lines go to the staging file, errors are listed by line number.
import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { OperatorError, toReason } from "../../../domain/errors.ts";
import type { FileFormat } from "../../../domain/file-format.ts";
import { FormatError } from "../../../formats/columns.ts";
import type { FileKind } from "../../../formats/format.ts";
import { createReader, type ReadLine } from "../../../formats/reader.ts";
import type { Staging } from "../../../store/import.ts";
import { maxToldErrors } from "../../../store/import.ts";
import { say, writeAll } from "../../terminal/print.ts";
import type { Progress } from "../../terminal/progress.ts";
import { openInput } from "./input.ts";

export interface ImportedFile extends FileKind {
	readonly file: string;
	readonly format: FileFormat;
}

export async function stageFile(
	{ file, format, isGzip }: ImportedFile,
	{ staging, bad, keepIds, signal, progress }: StageOptions,
): Promise<void> {
	const reader = createReader(format, keepIds);
	const { chunks, part } = openInput(file, isGzip, signal);
	const stage = (lines: readonly ReadLine[]) => {
		for (const line of lines) stageLine(line, staging, bad, reader.header);
	};
	try {
		for await (const chunk of chunks) {
			stage(reader.push(chunk));
			progress.show(staging.count(), part());
		}
		stage(reader.end());
	} catch (error) {
		if (!(error instanceof FormatError)) throw error;
		throw new OperatorError(
			`line ${error.line}: ${error.message} Nothing was added.`,
		);
	}
	staging.finish();
}

interface StageOptions {
	readonly staging: Staging;
	readonly bad: BadLines;
	readonly keepIds: boolean;
	readonly signal: AbortSignal;
	readonly progress: Progress;
}

function stageLine(
	{ line, bytes, read }: ReadLine,
	staging: Staging,
	bad: BadLines,
	header: () => Uint8Array,
): void {
	if (read === undefined) bad.addRest(bytes);
	else if (typeof read === "string") bad.add(line, read, bytes, header);
	else {
		const { id = null, name, categoryId, status } = read;
		const same = staging.add({ line, id, name, categoryId, status });
		if (same !== undefined)
			bad.add(line, `id ${id} is also the id of line ${same}.`, bytes, header);
	}
}

export type BadLines = ReturnType<typeof createBadLines>;

/** Tells the first bad lines, counts the others, and writes them to a file if that is asked for. */
export function createBadLines(
	/** Where the lines go; undefined if they are only told. */
	path: string | undefined,
) {
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
		/** `bytes` are the line as it is in the file, and `header` what the file of bad lines begins with. */
		add(
			line: number,
			problem: string,
			bytes: Uint8Array,
			header: () => Uint8Array,
		) {
			if (count < maxToldErrors) say(`line ${line}: ${problem}`);
			if (count === 0) write(header());
			count++;
			write(bytes);
		},
		/** Further bytes of the last line. */
		addRest: write,
		/** Says how many were not told, and makes the file durable. */
		finish() {
			if (count > maxToldErrors) say(`and ${count - maxToldErrors} more`);
			if (file === undefined) return;
			fsyncSync(file);
			closeSync(file);
		},
		/** Removes the file. */
		discard() {
			if (file !== undefined && path !== undefined)
				rmSync(path, { force: true });
		},
	};
}
