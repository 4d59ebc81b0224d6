// The supervisor of several workers, which share a port: to its caller, one server.
import type { Logger } from "pino";
import type { ServeConfig } from "../cli/config.ts";
import { OperatorError } from "../contract/errors.ts";
import { findAddress, type Server } from "../http/server.ts";
import { keepWorker } from "./worker-process.ts";

/** Resolves when all of them listen. They drain by themselves: they have the same flags. */
export async function startWorkers(
	config: ServeConfig,
	log: Logger,
): Promise<Server> {
	requireSharing(config);
	const { url, port } = findAddress(config);
	const stopping = new AbortController();
	const workers = Array.from({ length: config.workers }, (_, index) =>
		keepWorker(index + 1, port, stopping.signal, log),
	);
	// However this process ends, unless it is killed: and then they stop by themselves.
	process.once("exit", killAll);
	function killAll(): void {
		for (const worker of workers) worker.kill();
	}
	await Promise.all(workers.map(({ listening }) => listening));
	return {
		url,
		async stop({ drainMs }) {
			stopping.abort();
			const hung = setTimeout(killAll, drainMs + stopDeadlineMs);
			await Promise.all(workers.map(({ ended }) => ended));
			clearTimeout(hung);
		},
	};
}

/** More than a worker that does not hang takes for its last replies and to close its database. */
const stopDeadlineMs = 15_000;

function requireSharing({ workers, database }: ServeConfig): void {
	if (process.platform !== "linux")
		throw new OperatorError(
			`Only on Linux can ${workers} workers share a port; start it with --workers 1.`,
		);
	if (database === "sqlite::memory:")
		throw new OperatorError(
			`A database in memory belongs to one process, so ${workers} workers cannot share it; name a file with --database.`,
		);
}
