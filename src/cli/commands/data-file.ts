// Reads the animals of `sandbox --data FILE`.
import { readFileSync } from "node:fs";
import { OperatorError } from "../../domain/errors.ts";
import { toFileKind } from "../../domain/file-format.ts";
import type { Pet } from "../../domain/pet.ts";
import { FormatError } from "../../formats/columns.ts";
import { ownPets } from "../../formats/pet.ts";
import { isProblems, problemToText } from "../../formats/problem.ts";
import { createReader } from "../../formats/reader.ts";
import { withIds } from "../../sandbox/start.ts";
import { orExplain } from "../terminal/print.ts";

/** Throws an OperatorError with the first wrong line. */
export function readDataFile(file: string): readonly Pet[] {
	const { format, isGzip } = toFileKind(file, undefined, "rename the file");
	const bytes = orExplain(
		`The file ${file} of --data cannot be read`,
		() => {
			const read = readFileSync(file);
			if (!isGzip) return read;
			// Loaded only now, since it is large.
			return process.getBuiltinModule("node:zlib").gunzipSync(read);
		},
		2,
	);
	const lines: number[] = [];
	try {
		const reader = createReader(format, ownPets);
		const pets = [...reader.push(bytes), ...reader.end()].map(
			({ line, read }) => {
				if (isProblems(read))
					throw new FormatError(line, read.map(problemToText).join(" "));
				lines.push(line);
				return read;
			},
		);
		const without = pets.findIndex(({ id }) => id === undefined);
		if (without !== -1 && pets.some(({ id }) => id !== undefined))
			throw new FormatError(lines[without] ?? 0, "id is required.");
		return withIds(pets, (index, id) => {
			throw new FormatError(lines[index] ?? 0, `id ${id} is used twice.`);
		});
	} catch (error) {
		if (!(error instanceof FormatError)) throw error;
		throw new OperatorError(`${file}, line ${error.line}: ${error.message}`, 2);
	}
}
