// Structured log lines on stderr.
import { destination, type Logger, pino, stdTimeFunctions } from "pino";

export function createLog(): Logger {
	return pino(
		{
			base: null,
			timestamp: stdTimeFunctions.isoTime,
			formatters: { level: (level) => ({ level }) },
		},
		destination({ fd: process.stderr.fd, sync: true }),
	);
}
