// The supervisor of several workers that share a port. To its caller it is one service.
import { OperatorError } from "../domain/errors.ts";
import { type Address, canSharePort } from "../http/server/address.ts";
import { findFreeAddresses } from "../http/server/server.ts";
import { workerStopMs } from "../limits.ts";
import type { Log } from "../log/log.ts";
import { createOutages } from "../log/outages.ts";
import type { Petstore, PetstoreOptions } from "../petstore.ts";
import { createMaker, startWork } from "../serving.ts";
import { readDatabaseUrl } from "../store/database-url.ts";
import { openStore } from "../store/open.ts";
import { logMigration, type Store } from "../store/store.ts";
import type { Assignment } from "./messages.ts";
import { createMetricsSum } from "./metrics-sum.ts";
import { type SupervisedWorker, superviseWorker } from "./supervised-worker.ts";

/** A service in this process, or in several workers, which can be restarted. */
export interface Service extends Omit<Petstore, "fetch" | "readMetrics"> {
	/** Replaces the workers one after the other, while they serve. */
	readonly restart?: () => void;
}

export interface WorkersOptions
	extends Omit<PetstoreOptions, "address" | "log"> {
	readonly count: number;
	readonly address: Address;
	readonly drainMs: number;
	readonly log: Log;
}

/** Resolves when all workers listen. Each has the same flags as this process, and opens and drains a service of its own. */
export async function openWorkers(options: WorkersOptions): Promise<Service> {
	const { database, address, operatorAddress, log } = options;
	requireSharing(options);
	// Before the store is opened, so that a start that cannot listen creates no database.
	const [{ url, port }, operators] = findFreeAddresses(
		address,
		operatorAddress,
	);
	const store = await openStore(database, {
		create: true,
		poolSize: 1,
		onMigration: logMigration(log),
	});
	try {
		await options.prepare?.(store);
		const ports = { port, operatorPort: operators?.port };
		const workers = await startWorkers(ports, store, options);
		const outages = createOutages(store.ping, log);
		const maker = createMaker(store, options, log);
		const stopWork = startWork(store, options, maker, outages);
		return {
			url,
			operatorUrl: operators?.url ?? url,
			store,
			restart: workers.restart,
			// Each worker reads the files by itself when it starts.
			renewTls: async () => workers.restart(),
			async stop({ drainMs } = { drainMs: 0 }) {
				await workers.stop(drainMs);
				stopWork();
				await maker?.stop();
				outages.stop();
				await store.close();
			},
		};
	} catch (error) {
		await store.close();
		throw error;
	}
}

async function startWorkers(
	ports: Omit<Assignment, "worker">,
	{ ping }: Store,
	{ count, drainMs, log }: WorkersOptions,
) {
	const stopping = new AbortController();
	const onStart = createMetricsSum();
	const canStart = () =>
		ping().then(
			() => true,
			() => false,
		);
	const workers = Array.from({ length: count }, (_, index) =>
		superviseWorker(
			{ worker: index + 1, ...ports },
			{ canStart, onStart, stopping: stopping.signal, drainMs, log },
		),
	);
	// Kills the workers whenever this process exits. If this process is killed, they stop by themselves.
	process.once("exit", killAll);
	function killAll(): void {
		for (const worker of workers) worker.kill();
	}
	await Promise.all(workers.map(({ listening }) => listening));
	return {
		restart: createRestart(workers, stopping.signal, log),
		async stop(drainMs: number) {
			stopping.abort();
			const timer = setTimeout(killAll, drainMs + workerStopMs);
			await Promise.all(workers.map(({ ended }) => ended));
			clearTimeout(timer);
		},
	};
}

/** Replaces all workers one after the other. A call during a restart queues another, since some workers started before the call. */
function createRestart(
	workers: readonly SupervisedWorker[],
	stopping: AbortSignal,
	log: Log,
): () => void {
	let last = Promise.resolve();
	let isWaiting = false;

	async function restart(): Promise<void> {
		isWaiting = false;
		if (stopping.aborted) return;
		log.info("restarting the workers");
		for (const [index, { replace }] of workers.entries()) {
			if (await replace()) continue;
			// The others would fail for the same reason.
			if (!stopping.aborted)
				log.error(
					{ worker: index + 1 },
					"the new process of a worker cannot start: this worker and the ones after it were not restarted",
				);
			return;
		}
		log.info("the workers were restarted");
	}

	return () => {
		if (!isWaiting) last = last.then(restart);
		isWaiting = true;
	};
}

export function requireSharing(
	{ count, database }: Pick<WorkersOptions, "count" | "database">,
	platform: string = process.platform,
): void {
	if (!canSharePort(platform))
		throw new OperatorError(
			`Workers can share a port only on Linux; use --workers 1 instead of ${count}.`,
		);
	if (readDatabaseUrl(database).isInMemory)
		throw new OperatorError(
			`An in-memory database belongs to one process, so ${count} workers cannot share it; name a file with --database.`,
		);
}
