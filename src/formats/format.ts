// The format of a file with animals, by its name.
import type { FileFormat } from "../domain/file-format.ts";

export interface FileKind {
	/** Undefined if the name has no known ending. */
	readonly format: FileFormat | undefined;
	readonly isGzip: boolean;
}

export function toFileKind(name: string): FileKind {
	const plain = name.toLowerCase().replace(/\.gz$/, "");
	const [, extension = ""] = /\.(\w+)$/.exec(plain) ?? [];
	return {
		format: byExtension[extension],
		isGzip: plain.length < name.length,
	};
}

const byExtension: Readonly<Record<string, FileFormat>> = {
	ndjson: "ndjson",
	jsonl: "ndjson",
	csv: "csv",
};
