// Structured log lines on stderr.
import { constants, fstatSync, openSync, writeSync } from "node:fs";
import { type Logger, pino, stdTimeFunctions } from "pino";

/**
 * With several workers, each line has the number of its worker. A line that cannot be written without waiting is dropped, so a full
 * disk or pipe stops nothing.
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
 * A descriptor of stderr that does not block. A terminal or pipe is opened a second time, since O_NONBLOCK on the inherited
 * descriptor would also apply to other processes that have it. A file does not block, and with two descriptors the log would
 * overwrite what others write to it. A socket cannot be opened again; Bun makes it non-blocking when `process.stderr` is used.
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
