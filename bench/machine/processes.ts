// The processes of a server, and the memory that each of them uses.
import { readdirSync, readFileSync } from "node:fs";

/** A process and all its descendants. */
export function withDescendants(pid: number): readonly number[] {
	const children = readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.map(Number)
		.filter((other) => parentOf(other) === pid);
	return [pid, ...children.flatMap(withDescendants)];
}

function parentOf(pid: number): number | undefined {
	try {
		const text = readFileSync(`/proc/${pid}/status`, "utf8");
		return Number(/^PPid:\s+(\d+)/m.exec(text)?.[1]);
	} catch {
		// The process has just ended.
		return undefined;
	}
}

export function residentMb(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
