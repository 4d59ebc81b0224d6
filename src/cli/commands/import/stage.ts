// Reads all lines of a file. Good lines go to the staging file, errors are listed by line number.
import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { OperatorError, toReason } from "../../../domain/errors.ts";
import type { FileFormat } from "../../../domain/file-format.ts";
import { FormatError } from "../../../formats/csv.ts";
import type { FileKind } from "../../../formats/format.ts";
import type { FilePet } from "../../../formats/pet.ts";
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
	options: {
		readonly staging: Staging;
		readonly bad: BadLines;
		readonly keepIds: boolean;
		readonly signal: AbortSignal;
		readonly progress: Progress;
	},
): Promise<void> {
	const { staging, bad, signal, progress } = options;
	const { header, push, end } = createReader(format, options.keepIds);
	const { chunks, part } = openInput(file, isGzip, signal);

	function stage({ line, bytes, read }: ReadLine): void {
		const problem = typeof read === "object" ? add(line, read) : read;
		if (problem !== undefined) bad.add(line, problem, bytes, header);
		else if (read === undefined) bad.addRest(bytes);
	}

	/** Returns what is wrong with the line. */
	function add(line: number, { id, ...pet }: FilePet): string | undefined {
		const same = staging.add({ line, id: id ?? null, ...pet });
		return same === undefined
			? undefined
			: `id ${id} is also the id of line ${same}.`;
	}

	try {
		for await (const chunk of chunks) {
			push(chunk).forEach(stage);
			progress.show(staging.count(), part());
		}
		end().forEach(stage);
	} catch (error) {
		if (!(error instanceof FormatError)) throw error;
		throw new OperatorError(
			`line ${error.line}: ${error.message} Nothing was added.`,
		);
	}
	staging.finish();
}

export type BadLines = ReturnType<typeof createBadLines>;

/** Reports the first bad lines, counts the others, and writes all of them to a file if a path is given. */
export function createBadLines(path: string | undefined) {
	let count = 0;
	let file: number | undefined;

	function write(bytes: Uint8Array): void {
		if (path === undefined) return;
		try {
			// An existing file may hold the lines of an earlier import.
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
		/** Reports how many lines were only counted, and makes the file durable. */
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
