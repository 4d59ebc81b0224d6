// The process of a server: its start, the processor time and memory that it uses, and its end.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { freePort } from "../test/harness/free-port.ts";
import { type Running, start } from "../test/harness/process.ts";
import { temporaryFolder } from "../test/harness/temporary.ts";
import { type Contender, peerKey, toCommand } from "./contenders.ts";

export interface Server {
	readonly url: string;
	/** From the start of the process to its first reply to a list. */
	readonly startMs: number;
	readonly pid: number;
	readonly stop: () => Promise<void>;
}

export async function startServer(
	contender: Contender,
	location: string,
	key: string,
): Promise<Server> {
	const folder = temporaryFolder();
	const port = await freePort();
	const [program = "", ...args] = [
		...serverPrefix(),
		...toCommand(contender, port, location),
	];
	const begun = performance.now();
	const running = start([program, ...args], {
		cwd: folder.path,
		env: { API_KEY: peerKey, NODE_ENV: "production" },
	});
	const url = `http://127.0.0.1:${port}`;
	await firstReply(url, key, running);
	return {
		url,
		startMs: performance.now() - begun,
		pid: running.pid,
		async stop() {
			running.kill("SIGTERM");
			const timer = setTimeout(() => running.kill("SIGKILL"), 5_000);
			await running.finished;
			clearTimeout(timer);
			folder.remove();
		},
	};
}

async function firstReply(
	url: string,
	key: string,
	running: Running,
): Promise<void> {
	let hasEnded = false;
	running.finished.then(() => {
		hasEnded = true;
	});
	const headers = { Authorization: `Bearer ${key}` };
	const deadline = performance.now() + 60_000;
	while (!hasEnded && performance.now() < deadline) {
		// The connection is refused until the server listens.
		const response = await fetch(`${url}/v1/pets`, { headers }).catch(() => {});
		await response?.text();
		if (response && response.status < 500) return;
		await Bun.sleep(1);
	}
	throw new Error(`A server did not start: ${running.output().stderr}`);
}

/** Without address space randomisation: where its code is loaded can make a process a tenth faster or slower until its end. */
function serverPrefix(): readonly string[] {
	return [
		...(works("setarch", "-R", "true") ? ["setarch", "-R"] : []),
		...(canPin() ? ["taskset", "-c", "0"] : []),
	];
}

/** Leaves the first core to the server. wrk and PostgreSQL, which this process starts, inherit that. */
export function leaveServerCore(): void {
	const others = `1-${availableParallelism() - 1}`;
	if (canPin())
		execFileSync("taskset", ["-acp", others, String(process.pid)], {
			stdio: "ignore",
		});
}

/** Lets a process and those that it starts run on all cores. */
export function shareCores(pid: number): void {
	const all = `0-${availableParallelism() - 1}`;
	if (canPin())
		execFileSync("taskset", ["-acp", all, `${pid}`], { stdio: "ignore" });
}

function canPin(): boolean {
	return availableParallelism() > 1 && works("taskset", "-c", "0", "true");
}

function works(...[command = "", ...args]: readonly string[]): boolean {
	try {
		execFileSync(command, args, { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
}

/** Of all threads, in hundredths of a second. */
export function processorSeconds(pid: number): number {
	const text = readFileSync(`/proc/${pid}/stat`, "utf8");
	// The name of the program may have spaces, so count from its end.
	const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
	return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** All resident pages. */
export function readMebibytes(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
