// The format of a file with animals, by its name.
import type { FileFormat } from "../domain/file-format.ts";

export function toFileKind(name: string) {
	const plain = name.toLowerCase().replace(/\.gz$/, "");
	const [, extension = ""] = /\.(\w+)$/.exec(plain) ?? [];
	return {
		/** Undefined if the name has no known ending. */
		format: byExtension[extension],
		isGzip: plain.length < name.length,
	};
}

const byExtension: Readonly<Record<string, FileFormat>> = {
	ndjson: "ndjson",
	jsonl: "ndjson",
	csv: "csv",
};
