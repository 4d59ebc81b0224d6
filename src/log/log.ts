// The log on stderr: JSON lines for programs, or text for people.
import { type Output, openStderr } from "./output.ts";
import { type LogRecord, toText } from "./text.ts";

export type Log = Readonly<Record<"info" | "warn" | "error", WriteLine>>;

/** A message, or the fields of the line and then its message. The field `err` may be an error. */
type WriteLine = (
	...line: [message: string] | [fields: LogRecord, message: string]
) => void;

export interface LogOptions {
	/** If not given: text on a terminal, JSON elsewhere. */
	readonly format?: "text";
	/** Whether text on a terminal has colours. */
	readonly colours?: boolean;
}

export function createLog(
	options: LogOptions = {},
	output: Output = openStderr(),
): Log {
	const { isTerminal, maxLineBytes } = output;
	const { format = isTerminal ? "text" : "json", colours = false } = options;
	const style = { date: !isTerminal, colours: colours && isTerminal };
	const encode = (record: LogRecord) =>
		format === "text" ? toText(record, style) : `${JSON.stringify(record)}\n`;
	const toLevel =
		(level: keyof Log): WriteLine =>
		(...line) => {
			const [fields, msg] = line.length === 1 ? [{}, ...line] : line;
			const time = new Date().toISOString();
			const err =
				fields.err === undefined ? undefined : toErrorRecord(fields.err);
			const record = { level, time, ...fields, err, msg };
			const text = toFittingLine(record, encode, maxLineBytes);
			if (text !== undefined) output.write(text);
		};
	return {
		info: toLevel("info"),
		warn: toLevel("warn"),
		error: toLevel("error"),
	};
}

/** Encodes a line. If it is too long, cuts long strings like a stack trace and adds `cut`. Undefined if it is still too long. */
function toFittingLine(
	record: LogRecord,
	encode: (record: LogRecord) => string,
	maxBytes: number,
): string | undefined {
	const whole = encode(record);
	if (Buffer.byteLength(whole) <= maxBytes) return whole;
	for (const length of stringLengths) {
		const line = encode(cutStrings(record, length));
		if (Buffer.byteLength(line) <= maxBytes) return line;
	}
	return undefined;
}

/** Tried in this order. The last one leaves the time of the line whole. */
const stringLengths = [2_048, 1_024, 256, 64];

/** Adds `cut: true`. */
function cutStrings(record: LogRecord, length: number): LogRecord {
	const cut = JSON.stringify({ ...record, cut: true }, (_name, value) =>
		typeof value === "string" ? value.slice(0, length) : value,
	);
	return JSON.parse(cut);
}

/** An error as plain data: class, message, stack trace and simple members like a code. Those of its causes follow. */
function toErrorRecord(error: unknown): unknown {
	if (!(error instanceof Error)) return String(error);
	// A cause may be a cause of itself.
	const errors = new Set<Error>();
	let next: unknown = error;
	for (; next instanceof Error && !errors.has(next); next = next.cause)
		errors.add(next);
	return {
		type: error.constructor.name,
		message: [...errors].map(({ message }) => message).join(": "),
		// Errors of Bun's module loader have an empty stack.
		stack: [...errors]
			.map(({ stack, message }) => stack || message)
			.join("\ncaused by: "),
		...toMembers(error),
	};
}

/** Only simple values: others, for example a socket, are long or refer to themselves. */
function toMembers(error: Error): LogRecord {
	const isSimple = ([, value]: [string, unknown]) =>
		["string", "number", "boolean"].includes(typeof value);
	return Object.fromEntries(Object.entries(error).filter(isSimple));
}
