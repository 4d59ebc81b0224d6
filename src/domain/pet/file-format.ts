// The formats of files with animals, their media types, and the names of the files.
import { OperatorError } from "../errors.ts";
import { oneOf } from "../types/scalar.ts";

export const fileFormats = ["ndjson", "csv"] as const;
export type FileFormat = (typeof fileFormats)[number];

export const fileMediaTypes: Readonly<Record<FileFormat, string>> = {
	ndjson: "application/x-ndjson",
	csv: "text/csv; charset=utf-8; header=present",
};

/** A CSV file for Excel. */
export const excelMediaType = "text/csv; charset=utf-16; header=present";

/** The parameter. */
export const fileFormat = oneOf("The format of the file.", fileFormats);

/** The format of a file, by a flag or its name. `-` is stdin or stdout, NDJSON by default. */
export function toFileKind(
	name: string,
	flag: FileFormat | undefined,
	remedy = "add --format ndjson or --format csv",
) {
	const plain = name.toLowerCase().replace(/\.gz$/, "");
	const ending = name === "-" ? "ndjson" : /\.(\w+)$/.exec(plain)?.[1];
	const format = flag ?? byEnding[ending ?? ""];
	if (format !== undefined)
		return { format, isGzip: plain.length < name.length };
	throw new OperatorError(
		`The name ${name} does not show the format (.ndjson, .jsonl or .csv, with or without .gz); ${remedy}.`,
		2,
	);
}

const byEnding: Readonly<Record<string, FileFormat>> = {
	ndjson: "ndjson",
	jsonl: "ndjson",
	csv: "csv",
};

/** Errors of an imported file that are listed; further ones are only counted. */
export const maxListedErrors = 100;
/** Unknown members of a file that are named. */
export const maxIgnored = 20;
