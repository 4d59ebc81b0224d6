// The open files of the process. Each connection is one, and the system limits their number.
import { closeSync, openSync } from "node:fs";

/** Bun's errors of modules have the code only in their message. */
export function isOutOfFiles(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	const code = "code" in error ? String(error.code) : error.message;
	return /^E[MN]FILE\b/.test(code);
}

/** Calls `report` at intervals while the limit is reached, since Bun does not say that connections wait. Returns a function that stops it. */
export function watchOpenFiles(report: () => void): () => void {
	const timer = setInterval(() => {
		try {
			closeSync(openSync(process.execPath, "r"));
		} catch (error) {
			if (isOutOfFiles(error)) report();
		}
	}, intervalMs).unref();
	return () => clearInterval(timer);
}

const intervalMs = 2_000;
