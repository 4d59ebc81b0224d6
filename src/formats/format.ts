// The formats of files with animals, and how the name of a file tells its format.

export const formats = ["ndjson", "csv"] as const;
export type Format = (typeof formats)[number];

export const mediaTypes: Readonly<Record<Format, string>> = {
	ndjson: "application/x-ndjson",
	csv: "text/csv; charset=utf-8; header=present",
};

export interface FileKind {
	/** Undefined if the name does not tell it. */
	readonly format: Format | undefined;
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

const byExtension: Readonly<Record<string, Format>> = {
	ndjson: "ndjson",
	jsonl: "ndjson",
	csv: "csv",
};
