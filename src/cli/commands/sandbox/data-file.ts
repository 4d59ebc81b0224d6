// Reads the animals of `sandbox --data FILE`.
import { readFileSync } from "node:fs";
import { OperatorError, toReason } from "../../../domain/errors.ts";
import type { FileFormat } from "../../../domain/file-format.ts";
import type { Pet } from "../../../domain/pet.ts";
import { FormatError } from "../../../formats/csv.ts";
import type { FilePet } from "../../../formats/pet.ts";
import { createReader } from "../../../formats/reader.ts";
import { withIds } from "../../../sandbox/start.ts";
import { toKind } from "../../flags.ts";

/** Throws an OperatorError with the first line that is wrong. */
export function readDataFile(file: string): readonly Pet[] {
	const { format, isGzip } = toKind(file, undefined);
	const bytes = readBytes(file, isGzip);
	const lines: number[] = [];
	try {
		const reader = createReader(format, hasIds(bytes, format));
		const pets = [...reader.push(bytes), ...reader.end()].flatMap(
			({ line, read }): FilePet[] => {
				if (typeof read === "string") throw new FormatError(line, read);
				lines.push(line);
				return read === undefined ? [] : [read];
			},
		);
		return withIds(pets, (index, id) => {
			throw new FormatError(lines[index] ?? 0, `id must not be ${id} again.`);
		});
	} catch (error) {
		if (!(error instanceof FormatError)) throw error;
		throw new OperatorError(`${file}, line ${error.line}: ${error.message}`, 2);
	}
}

function readBytes(file: string, isGzip: boolean): Uint8Array {
	try {
		const bytes = readFileSync(file);
		if (!isGzip) return bytes;
		// Loaded only now, since it is large.
		return process.getBuiltinModule("node:zlib").gunzipSync(bytes);
	} catch (error) {
		throw new OperatorError(
			`The file ${file} of --data cannot be read: ${toReason(error)}.`,
			2,
		);
	}
}

/** Whether the first line names an id: then all animals must have one, and it is kept. */
function hasIds(bytes: Uint8Array, format: FileFormat): boolean {
	const end = bytes.indexOf(0x0a);
	const first = new TextDecoder().decode(
		end === -1 ? bytes : bytes.subarray(0, end),
	);
	return (format === "csv" ? /(^|[,"])id([,"\r]|$)/ : /"id"\s*:/).test(first);
}
