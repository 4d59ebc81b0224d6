// Notes in a file of bad lines: each comes before its line and has its error. The reader skips them.
import type { FileFormat } from "../domain/file-format.ts";
import { isObject } from "../domain/members.ts";
import { type Separator, toCsvLine } from "./csv.ts";

/** A comment in CSV, an object of its own in NDJSON. */
export function toNote(
	format: FileFormat,
	line: number,
	error: string,
	separator: Separator,
): string {
	return format === "csv"
		? toCsvLine([`# line ${line}: ${error}`], separator)
		: `${JSON.stringify({ line, error })}\n`;
}

/** No animal looks like this: its other fields are not empty. A spreadsheet adds the empty fields. */
export function isCsvNote([first = "", ...others]: readonly string[]): boolean {
	return /^# line \d+: /.test(first) && others.every((field) => field === "");
}

/** An animal has other members. */
export function isJsonNote(value: unknown): boolean {
	return isObject(value) && Object.keys(value).join() === "line,error";
}
