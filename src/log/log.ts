// The log on stderr: JSON lines for programs, or text for people.
import { type Output, openOutput } from "./output.ts";

export type Log = Readonly<Record<"info" | "warn" | "error", WriteLine>>;

export type LogRecord = Readonly<Record<string, unknown>>;

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
	{ format, colours = false }: LogOptions = {},
	{ isTerminal, write }: Output = openOutput(),
): Log {
	const isText = format === "text" || isTerminal;
	const toLevel =
		(level: keyof Log): WriteLine =>
		(...line) => {
			const [{ err, ...fields }, msg] =
				line.length === 1 ? [{}, ...line] : line;
			const time = new Date().toISOString();
			const error = err === undefined ? undefined : toErrorRecord(err);
			const record = { level, time, ...fields, err: error, msg };
			if (isText) write(toText(record, colours && isTerminal));
			else write(`${JSON.stringify(record)}\n`);
		};
	return {
		info: toLevel("info"),
		warn: toLevel("warn"),
		error: toLevel("error"),
	};
}

/** An error as plain data: class, message, stack trace and simple members like a code. Those of its causes follow. */
function toErrorRecord(error: unknown): LogRecord | string {
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

/** One line with the time of day in UTC, and below it the stack trace of an error, indented. */
function toText(
	{ level, time, err, msg, ...fields }: LogRecord,
	hasColours: boolean,
): string {
	const words =
		"status" in fields ? toRequest(fields) : [msg, ...toFields(fields)];
	const shown = String(level).padEnd(5);
	const coloured = `\x1b[${levelColours[shown.trim()]}m${shown}\x1b[39m`;
	const start = `${String(time).slice(11, 19)}Z ${hasColours ? coloured : shown}`;
	const lines = toErrorLines(err).map((line) => `    ${toVisible(line)}\n`);
	return `${start} ${toVisible(words.join(" "))}\n${lines.join("")}`;
}

/** The codes of green, yellow and red. */
const levelColours: Readonly<Record<string, number>> = {
	info: 32,
	warn: 33,
	error: 31,
};

/** A request with its reply, short enough for most terminals. The JSON lines have more. */
function toRequest(record: LogRecord): string[] {
	const { method, route, status, ms, code, keyId, ...others } = record;
	const { requestId, client, ...fields } = others;
	return [
		`${status ?? "cut"} ${`${ms}ms`.padStart(6)}`,
		`${String(method).padEnd("OPTIONS".length)} ${route ?? "unknown path"}`,
		...(code === undefined ? [] : [String(code)]),
		...toFields({ key: keyId, ...fields }),
	];
}

function toFields(fields: LogRecord): string[] {
	return Object.entries(fields)
		.filter(([, value]) => value !== undefined && value !== null)
		.map(([name, value]) => `${name}=${toFieldText(value)}`);
}

function toFieldText(value: unknown): string {
	const isPlain = typeof value === "string" && /^[^\s"]+$/.test(value);
	return isPlain ? value : JSON.stringify(value);
}

function toErrorLines(err: unknown): string[] {
	if (err === undefined) return [];
	if (typeof err !== "object" || err === null) return [String(err)];
	const { stack, type, message, ...members }: LogRecord = { ...err };
	return [...String(stack).split("\n"), ...toFields(members)];
}

/** Escapes control and format characters, since text from clients must not control a terminal or begin a line. */
function toVisible(text: string): string {
	return text.replace(
		/[\p{C}\p{Zl}\p{Zp}]/gu,
		(character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
	);
}
