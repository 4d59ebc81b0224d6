// A file that the user has chosen. It is copied to memory, so that the import has what the preview has, even if the file changes.
import { maxImportBytes } from "../../../limits.ts";
import type { ImportedFile } from "../api/import.ts";
import { toRandomName } from "../api/values.ts";
import { formatBytes } from "../parts/format.ts";

export const acceptedEndings = ".csv,.ndjson,.jsonl";
export const largestFile = formatBytes(maxImportBytes);

/** Throws with a message for the user. */
export async function takeFile(files: FileList): Promise<ImportedFile> {
	const [file] = files;
	if (file === undefined || files.length > 1)
		throw new Error("Choose one file.");
	const { name, size } = file;
	const [, ending] = /\.(csv|ndjson|jsonl)$/i.exec(name) ?? [];
	if (ending === undefined)
		throw new Error(
			"The name must end in .csv, .ndjson or .jsonl. Save a spreadsheet as CSV.",
		);
	if (size > maxImportBytes)
		throw new Error(
			`The file is larger than ${largestFile}. Import it with “petstore import”.`,
		);
	const format = ending.toLowerCase() === "csv" ? "csv" : "ndjson";
	const content = new Blob([await file.arrayBuffer().catch(refuse)]);
	return { name, format, content, importId: toRandomName() };
}

function refuse(): never {
	throw new Error("Could not read the file.");
}
