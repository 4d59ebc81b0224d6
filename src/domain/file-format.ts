// The formats of files with animals, and their media types.

export const fileFormats = ["ndjson", "csv"] as const;
export type FileFormat = (typeof fileFormats)[number];

export const fileMediaTypes: Readonly<Record<FileFormat, string>> = {
	ndjson: "application/x-ndjson",
	csv: "text/csv; charset=utf-8; header=present",
};
