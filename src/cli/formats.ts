// The format of a file that a command reads or writes: by its flag or else by its name.
import { Option } from "@commander-js/extra-typings";
import { OperatorError } from "../domain/errors.ts";
import { type FileFormat, fileFormats } from "../domain/file-format.ts";
import { type FileKind, toFileKind } from "../formats/format.ts";

export const formatOption = new Option(
	"--format <format>",
	"ndjson or csv; if not given, the name of the file tells it",
).choices(fileFormats);

/** `-` is stdin or stdout, which is NDJSON unless the flag says otherwise. */
export function toKind(
	file: string,
	flag: FileFormat | undefined,
): FileKind & { readonly format: FileFormat } {
	if (file === "-") return { format: flag ?? "ndjson", isGzip: false };
	const { format = flag, isGzip } = toFileKind(file);
	if (format === undefined)
		throw new OperatorError(
			`The name ${file} does not tell its format (.ndjson, .jsonl or .csv, also with .gz); add --format ndjson or --format csv.`,
			2,
		);
	return { format: flag ?? format, isGzip };
}
