// Structured log lines on stderr.
import { constants, fstatSync, openSync, writeSync } from "node:fs";
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

/**
 * Opened once more, since only one's own handle may be told not to wait. A socket cannot be, and Bun itself tells it when it is asked for
 * its number. A file lets nobody wait, and by two handles what is said beside the log would overwrite it.
 */
function openStderr(): number {
	const { O_WRONLY, O_NONBLOCK } = constants;
	try {
		if (fstatSync(2).isFile()) return 2;
		return openSync("/proc/self/fd/2", O_WRONLY | O_NONBLOCK);
	} catch {
		return process.stderr.fd;
	}
}
