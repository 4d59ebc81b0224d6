// The supervisor of several workers that share a port. To its caller it is one service.
import type { Logger } from "pino";
import { OperatorError } from "../contract/errors.ts";
import { type Address, findFreeAddress } from "../http/server.ts";
import { workerStopMs } from "../limits.ts";
import type { Petstore } from "../petstore.ts";
import { startCleanUp } from "../store/clean-up.ts";
import { openStore } from "../store/open.ts";
import { createOutages } from "../store/outages.ts";
import { superviseWorker } from "./worker-process.ts";

/** Resolves when all workers listen. Each has the same flags as this process, and opens and drains a service of its own. */
export async function openWorkers(options: {
	count: number;
	database: string;
	address: Address;
	log: Logger;
}): Promise<Omit<Petstore, "fetch">> {
	const { database, log } = options;
	requireSharing(options);
	const store = await openStore(database, { create: true, poolSize: 1 });
	try {
		const workers = await startWorkers(options);
		const outages = createOutages(store.ping, log);
		const stopCleanUp = startCleanUp(store.catalogue, outages);
		return {
			url: workers.url,
			store,
			async stop({ drainMs } = { drainMs: 0 }) {
				await workers.stop(drainMs);
				stopCleanUp();
				outages.stop();
				await store.close();
			},
		};
	} catch (error) {
		await store.close();
		throw error;
	}
}

async function startWorkers(options: {
	count: number;
	address: Address;
	log: Logger;
}) {
	const { count, address, log } = options;
	const { url, port } = findFreeAddress(address);
	const stopping = new AbortController();
	const workers = Array.from({ length: count }, (_, index) =>
		superviseWorker({ worker: index + 1, port }, stopping.signal, log),
	);
	// Kills the workers whenever this process exits. If this process is killed, they stop by themselves.
	process.once("exit", killAll);
	function killAll(): void {
		for (const worker of workers) worker.kill();
	}
	await Promise.all(workers.map(({ listening }) => listening));
	return {
		url,
		async stop(drainMs: number) {
			stopping.abort();
			const timer = setTimeout(killAll, drainMs + workerStopMs);
			await Promise.all(workers.map(({ ended }) => ended));
			clearTimeout(timer);
		},
	};
}

function requireSharing({
	count,
	database,
}: {
	count: number;
	database: string;
}): void {
	if (process.platform !== "linux")
		throw new OperatorError(
			`Only on Linux can ${count} workers share a port; start it with --workers 1.`,
		);
	if (database === "sqlite::memory:")
		throw new OperatorError(
			`A database in memory belongs to one process, so ${count} workers cannot share it; name a file with --database.`,
		);
}
