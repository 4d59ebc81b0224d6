// The memory and the descriptors of a process. Linux only.
import { readdirSync, readFileSync } from "node:fs";

export interface Resources {
	readonly mebibytes: number;
	readonly descriptors: number;
}

export function readResources(pid: number): Resources {
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	return {
		mebibytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
		descriptors: readdirSync(`/proc/${pid}/fd`).length,
	};
}
