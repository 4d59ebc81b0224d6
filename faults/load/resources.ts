// The memory and the descriptors of a process. Linux only.
import { readdirSync, readFileSync } from "node:fs";

export interface Resources {
	readonly mebibytes: number;
	/** The highest value so far. */
	readonly peakMebibytes: number;
	readonly descriptors: number;
}

export function readResources(pid: number): Resources {
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	const read = (name: string) =>
		Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
	return {
		mebibytes: read("VmRSS"),
		peakMebibytes: read("VmHWM"),
		descriptors: readdirSync(`/proc/${pid}/fd`).length,
	};
}
