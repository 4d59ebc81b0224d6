// The log on stderr: JSON lines for programs, or text for people.
import { toErrorRecord } from "./error-record.ts";
import { toFittingLine } from "./fitting-line.ts";
import type { LogFormat } from "./format.ts";
import { type Output, openStderr } from "./output.ts";
import { type LogRecord, toText } from "./text.ts";

export interface Log {
	readonly info: WriteLine;
	readonly warn: WriteLine;
	readonly error: WriteLine;
}

/** A message, or the fields of the line and then its message. The field `err` may be an error. */
type WriteLine = (
	...line: [message: string] | [fields: LogRecord, message: string]
) => void;

export interface LogOptions {
	/** With several workers, each line has the number of its worker. */
	readonly worker?: number | undefined;
	/** If not given: text on a terminal, JSON elsewhere. */
	readonly format?: LogFormat | undefined;
	/** Whether text on a terminal has colours. */
	readonly colours?: boolean;
}

export function createLog(
	options: LogOptions = {},
	output: Output = openStderr(),
): Log {
	const { worker, format = output.isTerminal ? "text" : "json" } = options;
	const encode = format === "text" ? toTextEncoder(options, output) : toJson;
	return toLog((record) => {
		const line = toFittingLine(record, encode, output.maxLineBytes);
		if (line !== undefined) output.write(line);
	}, worker);
}

function toLog(
	write: (record: LogRecord) => void,
	worker: number | undefined,
): Log {
	const toLevel =
		(level: keyof Log): WriteLine =>
		(...line) => {
			const [fields, msg] = line.length === 1 ? [{}, ...line] : line;
			const time = new Date().toISOString();
			const err =
				fields.err === undefined ? undefined : toErrorRecord(fields.err);
			write({ level, time, worker, ...fields, err, msg });
		};
	return {
		info: toLevel("info"),
		warn: toLevel("warn"),
		error: toLevel("error"),
	};
}

function toJson(record: LogRecord): string {
	return `${JSON.stringify(record)}\n`;
}

function toTextEncoder(
	{ colours = false }: LogOptions,
	{ isTerminal }: Output,
): (record: LogRecord) => string {
	const style = { date: !isTerminal, colours: colours && isTerminal };
	return (record) => toText(record, style);
}
