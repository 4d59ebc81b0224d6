// The processor time that is used: by the whole machine, by one process, and by the hypervisor.
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Below this share of processor time the machine counts as idle. A server that has just started uses a little. */
export const quietShare = 0.1;

/** Waits for the machine to be idle, for at most this many intervals. Returns the share that was in use in the last one. */
export async function waitForQuiet(
	intervalMs: number,
	intervals: number,
): Promise<number> {
	let busy = 1;
	for (let count = 0; count < intervals && busy >= quietShare; count++)
		busy = await busyShare(intervalMs);
	return busy;
}

/** Waits 0.2 to 2 seconds: a server still does some work after its first reply, and other programs may be busy. */
export function waitAfterStart(): Promise<number> {
	return waitForQuiet(200, 10);
}

async function busyShare(intervalMs: number): Promise<number> {
	const before = machineTimes();
	await Bun.sleep(intervalMs);
	const after = machineTimes();
	const all = after.all - before.all;
	return all === 0 ? 0 : 1 - (after.idle - before.idle) / all;
}

function machineTimes(): { all: number; idle: number } {
	const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
	const times = line.split(/\s+/).slice(1, 9).map(Number);
	const [, , , idle = 0, waiting = 0] = times;
	return { all: times.reduce((sum, time) => sum + time), idle: idle + waiting };
}

export interface Used<Value> {
	readonly value: Value;
	/** The processor time of the server. */
	readonly usedNs: number;
	/** Whether the hypervisor took the server's core away. Then the figures by the clock mean nothing. */
	readonly isDisturbed: boolean;
}

/** Runs work of about a second, and measures the processor time that a server uses for it. */
export async function measureUse<Value>(
	readTimeNs: () => number,
	work: () => Promise<Value>,
): Promise<Used<Value>> {
	const stolenBefore = stolenTicks();
	const begun = performance.now();
	const usedBefore = readTimeNs();
	const value = await work();
	const usedNs = readTimeNs() - usedBefore;
	const seconds = (performance.now() - begun) / 1000;
	const stolen = (stolenTicks() - stolenBefore) / seconds;
	return { value, usedNs, isDisturbed: stolen > maxStolenTicks };
}

/** A second has a hundred ticks. */
const maxStolenTicks = 5;

/** The processor time of all threads of a process. 0 if it has ended. */
export function processorTimeNs(pid: number): number {
	const tasks = `/proc/${pid}/task`;
	const threads = existsSync(tasks) ? readdirSync(tasks) : [];
	const times = threads.map((thread) => {
		try {
			const text = readFileSync(`${tasks}/${thread}/schedstat`, "utf8");
			return Number(text.split(" ")[0]);
		} catch {
			// The thread has just ended.
			return 0;
		}
	});
	return times.reduce((sum, time) => sum + time, 0);
}

/** The time for which the hypervisor ran something else on the server's core, in hundredths of a second. */
function stolenTicks(): number {
	const [, line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
	return Number(line.split(/\s+/)[8]);
}
