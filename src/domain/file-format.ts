// The formats of files with animals, their media types, and the names of the files.
import { Failure } from "./errors.ts";
import { oneOf, withDefault } from "./type.ts";

export const fileFormats = ["ndjson", "csv"] as const;
export type FileFormat = (typeof fileFormats)[number];

export const fileMediaTypes: Readonly<Record<FileFormat, string>> = {
	ndjson: "application/x-ndjson",
	csv: "text/csv; charset=utf-8; header=present",
};

/** A CSV file for Excel. */
export const excelMediaType = "text/csv; charset=utf-16; header=present";

/** The parameter. */
export const fileFormat = withDefault(
	oneOf("The format of the file.", fileFormats),
	"ndjson",
);

export function requireCsv(
	format: FileFormat,
	/** What only CSV files have. */
	option: string,
	isGiven: boolean,
): void {
	if (isGiven && format !== "csv")
		throw new Failure("invalid_parameter", `${option} needs the format csv.`);
}

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
