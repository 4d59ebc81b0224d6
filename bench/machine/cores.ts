// Gives the server a core that the load generator and PostgreSQL do not use.
import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";

export const cores = availableParallelism();

/** The command prefix that turns off address space randomisation and pins the server to its core. */
export function serverPrefix(): readonly string[] {
	// The load address of its code can make the same program a tenth faster or slower until the process ends.
	const fixed = works("setarch", "-R", "true") ? ["setarch", "-R"] : [];
	const pinned = canPin() ? ["taskset", "-c", "0"] : [];
	return [...fixed, ...pinned];
}

/** Moves this process to the other cores. The load generator and PostgreSQL, which it starts later, inherit this. */
export function leaveServerCore(): void {
	if (!canPin()) return;
	const first = cores === 2 ? 1 : 2;
	const others = `${first}-${cores - 1}`;
	execFileSync("taskset", ["-acp", others, String(process.pid)], {
		stdio: "ignore",
	});
}

function canPin(): boolean {
	return cores > 1 && works("taskset", "-c", "0", "true");
}

function works(command: string, ...args: readonly string[]): boolean {
	try {
		execFileSync(command, args, { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
}
