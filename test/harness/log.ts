// Logs for tests.
import { createLog, type Log, type LogRecord } from "../../src/log.ts";

/** Passes each line to `read`. */
export function logTo(read: (line: LogRecord) => void): Log {
	const write = (line: string) => read(JSON.parse(line));
	return createLog({ isTerminal: false, write });
}

export const silentLog = logTo(() => {});

interface LogLine {
	readonly msg: string;
	readonly [field: string]: unknown;
}

/** The JSON lines of a log. */
export function toLog(stderr: string): LogLine[] {
	return stderr
		.split("\n")
		.filter((line) => line.startsWith("{") && line.endsWith("}"))
		.map((line) => JSON.parse(line));
}
