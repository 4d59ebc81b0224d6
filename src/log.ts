// Structured log lines on stderr.
import { constants, openSync, writeSync } from "node:fs";
import { type Logger, pino, stdTimeFunctions } from "pino";

/**
 * Where there are several workers, each line names its own. A line that cannot be written now, because the disk is full or
 * nobody reads the pipe, is dropped: it stops nothing.
 */
export function createLog(worker?: number): Logger {
	const stderr = openStderr();
	return pino(
		{
			base: worker === undefined ? null : { worker },
			timestamp: stdTimeFunctions.isoTime,
			formatters: { level: (level) => ({ level }) },
		},
		{
			write(line) {
				try {
					writeSync(stderr, line);
				} catch {}
			},
		},
	);
}

/** Opened once more, since only one's own handle may be told not to wait. A socket cannot be, and is used as it is. */
function openStderr(): number {
	const { O_WRONLY, O_APPEND, O_NONBLOCK } = constants;
	try {
		return openSync("/proc/self/fd/2", O_WRONLY | O_APPEND | O_NONBLOCK);
	} catch {
		return process.stderr.fd;
	}
}
