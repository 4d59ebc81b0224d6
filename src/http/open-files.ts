// The open files of the process. Each connection is one, and the system limits their number.
import { closeSync, openSync, readFileSync } from "node:fs";
import { OperatorError } from "../domain/errors.ts";

/** For the database, a backup, and some connections. */
const leastFiles = 64;

/** Refuses to start with too few. Other systems than Linux do not say how many there are. */
export function requireOpenFiles(): void {
	let limits = "";
	try {
		limits = readFileSync("/proc/self/limits", "utf8");
	} catch {}
	const [, limit] = /^Max open files +(\d+)/m.exec(limits) ?? [];
	if (limit !== undefined && Number(limit) < leastFiles)
		throw new OperatorError(
			`The process may have only ${limit} open files. Set "ulimit -n" to at least ${leastFiles}; each connection needs one.`,
		);
}

/** Bun's errors of modules have the code only in their message. */
export function isOutOfFiles(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	const code = "code" in error ? String(error.code) : error.message;
	return /^E[MN]FILE\b/.test(code);
}

/** Calls `report` at intervals while the limit is reached: Bun does not say that connections wait. Returns a function that stops it. */
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
