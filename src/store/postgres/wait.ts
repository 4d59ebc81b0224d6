// Waits for a server that does not accept connections yet.
import { setTimeout as sleep } from "node:timers/promises";
import { connectRetryMs } from "../../limits.ts";
import { connect, toConfig } from "./connection.ts";
import { isAway, toStartProblem } from "./errors.ts";

export async function waitForServer(
	url: string,
	ms: number,
	onWait: (reason: string) => void,
): Promise<void> {
	const deadline = performance.now() + ms;
	for (let attempt = 1; ; attempt++) {
		const problem = await findProblem(url);
		if (problem === undefined || performance.now() >= deadline) return;
		if (attempt === 1) onWait(problem);
		await sleep(connectRetryMs);
	}
}

/** Why the server accepts no connections; undefined if it does, or if waiting does not help. */
async function findProblem(url: string): Promise<string | undefined> {
	const config = toConfig(url);
	try {
		const client = await connect(config);
		await client.end();
	} catch (error) {
		if (error instanceof Error && isAway(error)) return toStartProblem(error);
	}
	return undefined;
}
