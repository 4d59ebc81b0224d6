// The machine under the measurement: its cores, its quiet, its description.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism, cpus, release, totalmem } from "node:os";

const cores = availableParallelism();

/** What to put before a server's command: a fixed place in memory, and a core that the load does not use. */
export function serverPrefix(): readonly string[] {
	// One and the same program can be faster or slower by a tenth for its whole life, by where its code happens to lie.
	const fixed = works("setarch", "-R", "true") ? ["setarch", "-R"] : [];
	const pinned = canPin() ? ["taskset", "-c", "0"] : [];
	return [...fixed, ...pinned];
}

/** Moves this process, and so the load and the PostgreSQL that it will start, off the server's core. */
export function leaveServerCore(): void {
	if (!canPin()) return;
	const others = cores === 2 ? "1" : `1-${cores - 1}`;
	execFileSync("taskset", ["-acp", others, String(process.pid)], {
		stdio: "ignore",
	});
}

function canPin(): boolean {
	return cores > 1 && works("taskset", "-c", "0", "true");
}

/** Waits until others leave the machine alone, so many looks at most; gives the share of it that was in use at last. */
export async function waitForQuiet(
	lookMs: number,
	looks: number,
): Promise<number> {
	let busy = 1;
	for (let look = 0; look < looks && busy >= quietShare; look++)
		busy = await busyShare(lookMs);
	return busy;
}

/** Below this the machine counts as idle; a server that has just started does a little by itself. */
export const quietShare = 0.1;

async function busyShare(lookMs: number): Promise<number> {
	const before = processorTimes();
	await Bun.sleep(lookMs);
	const after = processorTimes();
	const all = after.all - before.all;
	return all === 0 ? 0 : 1 - (after.idle - before.idle) / all;
}

function processorTimes(): { all: number; idle: number } {
	const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
	const times = line.split(/\s+/).slice(1, 9).map(Number);
	const [, , , idle = 0, waiting = 0] = times;
	return { all: times.reduce((sum, time) => sum + time), idle: idle + waiting };
}

/** What all threads of a process have used. */
export function processorTimeNs(pid: number): number {
	const times = readdirSync(`/proc/${pid}/task`).map((thread) => {
		try {
			const text = readFileSync(
				`/proc/${pid}/task/${thread}/schedstat`,
				"utf8",
			);
			return Number(text.split(" ")[0]);
		} catch {
			// The thread has just ended.
			return 0;
		}
	});
	return times.reduce((sum, time) => sum + time, 0);
}

/** For how many hundredths of a second the hypervisor has run something else on the server's core. */
export function stolenTicks(): number {
	const [, line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
	return Number(line.split(/\s+/)[8]);
}

export function describeMachine(): string {
	const memory = Math.round(totalmem() / 2 ** 30);
	return `${cores} cores, ${cpus()[0]?.model}, ${process.arch}, ${memory} GB, Linux ${release().split("-")[0]}`;
}

export function describePlacement(): string {
	const prefix = serverPrefix();
	const cores = prefix.includes("taskset")
		? "Server on one core, load and PostgreSQL on the others"
		: "Server and load not pinned to cores";
	const addresses = prefix.includes("setarch") ? "off" : "on";
	return `${cores}; address randomisation ${addresses} for the servers`;
}

function works(command: string, ...args: readonly string[]): boolean {
	try {
		execFileSync(command, args, { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
}
