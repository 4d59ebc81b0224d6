// The log on stderr: JSON lines, or text on a terminal. It never blocks: a line that would have to wait is dropped.
import { constants, fstatSync, openSync, writeSync } from "node:fs";
import { StoreFailure, toReason } from "./domain/errors.ts";
import { toPrintable } from "./domain/text.ts";
import { isTerminal } from "./program.ts";

export type Log = Readonly<Record<"info" | "warn" | "error", WriteLine>>;

export type LogRecord = Readonly<Record<string, unknown>>;

/** A message, or the fields of the line and then its message. The field `err` may be an error. */
type WriteLine = (
	...line: [message: string] | [fields: LogRecord, message: string]
) => void;

export interface Output {
	readonly isTerminal: boolean;
	readonly write: (line: string) => void;
}

export function createLog(
	{ isTerminal, write }: Output = openOutput(),
	isText = isTerminal,
): Log {
	const toLevel =
		(level: keyof Log): WriteLine =>
		(...line) => {
			const [{ err, ...fields }, msg] =
				line.length === 1 ? [{}, ...line] : line;
			const trace = err === undefined ? undefined : toTrace(err);
			const time = new Date().toISOString();
			const record = { level, time, ...fields, err: trace, msg };
			write(isText ? toText(record) : `${JSON.stringify(record)}\n`);
		};
	return {
		info: toLevel("info"),
		warn: toLevel("warn"),
		error: toLevel("error"),
	};
}

export type FailureLog = ReturnType<typeof createFailureLog>;

/** Logs the first failure of a kind with its details, after ten seconds how many more came, and then begins again. */
export function createFailureLog(log: Log, intervalMs = 10_000) {
	const counts = new Map<string, number>();
	let isStopped = false;

	function report(
		level: "warn" | "error",
		kind: string,
		toDetails: () => object,
	): void {
		const known = counts.get(kind);
		counts.set(kind, (known ?? -1) + 1);
		if (known !== undefined) return;
		log[level]({ ...toDetails() }, kind);
		const timer = setTimeout(() => {
			const count = counts.get(kind);
			counts.delete(kind);
			if (count) log[level]({ count }, kind);
		}, intervalMs);
		timer.unref();
	}

	/** All failures of the database are of one kind. */
	function reportStore(failure: StoreFailure, toDetails: () => object): void {
		// The stop itself makes work fail.
		if (isStopped) return;
		report("error", "the database cannot be used", () => ({
			...toDetails(),
			reason: toStoreReason(failure),
		}));
	}

	return {
		report,
		reportStore,
		/** For background work. The message says what failed. */
		reportWork(error: unknown, message: string): void {
			if (error instanceof StoreFailure)
				reportStore(error, () => ({ failed: message }));
			else log.warn({ err: error }, message);
		},
		stop(): void {
			isStopped = true;
		},
	};
}

/** A failure without a cause is a timeout. */
function toStoreReason({ cause }: StoreFailure): string {
	if (cause === undefined) return "it did not answer in time";
	const reason = toReason(cause);
	return cause instanceof Error && "code" in cause
		? `${reason} (${cause.code})`
		: reason;
}

/** The stack trace with those of the causes. No other members: PostgreSQL puts values of callers into `detail`. */
function toTrace(error: unknown, depth = 0): string {
	if (!(error instanceof Error)) return String(error);
	// Errors of Bun's module loader have an empty stack.
	const trace = error.stack || error.message;
	// A cause may be a cause of itself.
	if (error.cause === undefined || depth === 9) return trace;
	return `${trace}\ncaused by: ${toTrace(error.cause, depth + 1)}`;
}

/** One line with the time of day in UTC, and below it the stack trace of an error, indented. A request with its reply is short. */
function toText({ level, time, err, msg, ...fields }: LogRecord): string {
	const { method, route, status, ms, requestId, client, ...others } = fields;
	const words =
		ms === undefined
			? [msg, ...toWords(fields)]
			: [
					`${status ?? "cut"} ${`${ms}ms`.padStart(6)}`,
					String(method).padEnd("OPTIONS".length),
					route ?? "unknown path",
					...toWords(others),
				];
	const start = `${String(time).slice(11, 19)}Z ${String(level).padEnd(5)}`;
	const trace = err === undefined ? [] : String(err).split("\n");
	return [`${start} ${words.join(" ")}`, ...trace.map((line) => `    ${line}`)]
		.map((line) => `${toPrintable(line)}\n`)
		.join("");
}

function toWords(fields: LogRecord): string[] {
	return Object.entries(fields)
		.filter(([, value]) => value !== undefined && value !== null)
		.map(([name, value]) => {
			const isPlain = typeof value === "string" && /^[^\s"]+$/.test(value);
			return `${name}=${isPlain ? value : JSON.stringify(value)}`;
		});
}

/** The system may take only a part of a line. The rest goes before the next line, which is dropped if that fails. */
export function openOutput(fd = openStderr()): Output {
	let rest = Buffer.alloc(0);
	return {
		isTerminal: isTerminal(fd),
		write(line) {
			if (rest.length > 0) rest = rest.subarray(tryToWrite(fd, rest));
			if (rest.length > 0) return;
			const bytes = Buffer.from(line);
			const written = tryToWrite(fd, bytes);
			if (written > 0) rest = bytes.subarray(written);
		},
	};
}

/** 0 if nothing can be written, whatever the reason. */
function tryToWrite(fd: number, bytes: Uint8Array): number {
	try {
		return writeSync(fd, bytes);
	} catch {
		return 0;
	}
}

/**
 * A descriptor of stderr that does not block. A terminal or pipe is opened again: O_NONBLOCK on the inherited descriptor would affect other
 * processes. A file never blocks, and a second descriptor would overwrite it. A socket cannot be opened again; a Bun writer sets it.
 */
export function openStderr(second = "/proc/self/fd/2"): number {
	try {
		if (fstatSync(2).isFile()) return 2;
		return openSync(second, constants.O_WRONLY | constants.O_NONBLOCK);
	} catch {
		Bun.stderr.writer();
		return 2;
	}
}
