// The log on stderr: JSON lines, or text on a terminal. It never blocks: a line that would have to wait is dropped.
import { constants, fstatSync, openSync, writeSync } from "node:fs";
import {
	type Failure,
	isBusy,
	StoreFailure,
	toReason,
} from "./domain/errors.ts";
import { toPrintable } from "./domain/text.ts";
import { isTerminal } from "./program.ts";

export type Log = Readonly<
	Record<"info" | "warn" | "error", (msg: string, fields?: LogRecord) => void>
>;

/** The fields of a line. `err` may be an error. */
export type LogRecord = Readonly<Record<string, unknown>>;

/** JSON, or text on a terminal. */
export function createLog({ isTerminal, write } = openOutput()): Log {
	function log(level: string, msg: string, { err, ...fields }: LogRecord = {}) {
		const trace = err === undefined ? undefined : toTrace(err);
		const time = new Date().toISOString();
		const record = { level, time, ...fields, err: trace, msg };
		write(isTerminal ? toText(record) : `${JSON.stringify(record)}\n`);
	}
	return {
		info: (msg, fields) => log("info", msg, fields),
		warn: (msg, fields) => log("warn", msg, fields),
		error: (msg, fields) => log("error", msg, fields),
	};
}

export type FailureLog = ReturnType<typeof createFailureLog>;

/** Logs the first failure of a kind with its details, after ten seconds how many more came, and then begins again. */
export function createFailureLog(log: Log, intervalMs = 10_000) {
	const counts = new Map<string, number>();
	let isStopped = false;

	function report(level: "warn" | "error", kind: string, details: LogRecord) {
		const known = counts.get(kind);
		counts.set(kind, (known ?? -1) + 1);
		if (known !== undefined) return;
		log[level](kind, details);
		setTimeout(() => {
			const count = counts.get(kind);
			counts.delete(kind);
			if (count) log[level](kind, { count });
		}, intervalMs).unref();
	}

	function reportFailure(failure: Failure, details: LogRecord): void {
		const { code, message, cause: err } = failure;
		const isOfStore = failure instanceof StoreFailure;
		// The stop itself makes work fail.
		if (isStopped && (isOfStore || isBusy(failure))) return;
		const reason = toStoreReason(err);
		if (isBusy(failure))
			report("warn", message, { ...details, reason: err && reason });
		else if (isOfStore)
			report("error", "the database cannot be used", { ...details, reason });
		else if (code === "internal") log.error(message, { ...details, err });
		// A failure without a cause is an expected one, for example a timeout.
		else report(err ? "error" : "warn", message, { ...details, err });
	}

	return {
		report,
		/** All failures of the database are of one kind. A mistake of ours is logged each time. */
		reportFailure,
		/** For background work. The message says what failed. */
		reportWork(error: unknown, message: string): void {
			if (error instanceof StoreFailure || isBusy(error))
				reportFailure(error, { failed: message });
			else log.warn(message, { err: error });
		},
		stop(): void {
			isStopped = true;
		},
	};
}

/** A failure without a cause is a timeout. */
function toStoreReason(cause: unknown): string {
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
	const reply = `${status ?? "cut"} ${`${ms}ms`.padStart(6)}`;
	const words =
		ms === undefined
			? [msg, ...toWords(fields)]
			: [reply, method, route ?? "unknown path", ...toWords(others)];
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
export function openOutput(fd = openStderr()) {
	let rest = Buffer.alloc(0);
	return {
		isTerminal: isTerminal(fd),
		write(line: string): void {
			try {
				if (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
				if (rest.length > 0) return;
				const bytes = Buffer.from(line);
				rest = bytes.subarray(writeSync(fd, bytes));
			} catch {
				// Nothing can be written now, whatever the reason.
			}
		},
	};
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
