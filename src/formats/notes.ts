// The notes in a file with the bad lines of another: each comes before its line, and is skipped when the file is read again.
import type { FileFormat } from "../domain/file-format.ts";
import { isObject } from "../domain/members.ts";
import { type Separator, toCsvLine } from "./csv.ts";

/** Of the file with the line: what is before its animals, and its separator. */
export interface Head {
	readonly head: () => Uint8Array;
	readonly separator: () => Separator;
}

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

/** No animal is like this, since its other columns cannot be empty. A spreadsheet writes them. */
export function isCsvNote([first = "", ...others]: readonly string[]): boolean {
	return /^# line \d+: /.test(first) && others.every((field) => field === "");
}

/** An animal has other members. */
export function isJsonNote(value: unknown): boolean {
	return isObject(value) && Object.keys(value).join() === "line,error";
}
