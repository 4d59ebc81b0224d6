// The service on one open store, without a socket: its surfaces as an app, and its background work.
import { type BackupMaker, createBackupMaker } from "./backups/maker.ts";
import { startSchedule } from "./backups/schedule.ts";
import { createApp } from "./http/app.ts";
import type { RateLimiter } from "./http/rate-limit.ts";
import { toFirstSegments } from "./http/router.ts";
import type { Address } from "./http/server/address.ts";
import type { Surface } from "./http/surface.ts";
import type { LimitUnsent } from "./http/unsent.ts";
import { createFailureLog, type FailureLog } from "./log/failures.ts";
import type { Log } from "./log/log.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { startCleanUp } from "./store/clean-up.ts";
import { readDatabaseUrl } from "./store/database-url.ts";
import type { Store } from "./store/store.ts";
import {
	createSurfaces,
	type SurfaceOptions,
	type SurfaceParts,
} from "./surfaces.ts";

/** Stays the same when a sandbox is reset. */
export interface Shared
	extends Pick<SurfaceParts, "metrics" | "pageCode" | "isStopping"> {
	readonly log: Log;
	readonly limitRate: RateLimiter | undefined;
	readonly limitUnsent: LimitUnsent;
	readonly sandbox: Sandbox | undefined;
}

export interface ServingOptions extends SurfaceOptions {
	/** A database URL: `sqlite:PATH`, `sqlite::memory:` or `postgres://…`. */
	readonly database: string;
	/** Interval of automatic backups in the folder `backups`; only on request if not given. */
	readonly backupEveryMs?: number | undefined;
	/** How many of the newest backups stay in the folder; all if not given. */
	readonly backupKeep?: number | undefined;
	/** The only address of the operator interface, its documents, the console and the metrics; `address` if not given. */
	readonly operatorAddress?: Address | undefined;
	/** How long the history of animals is kept: 400 days if not given. 0 keeps none. */
	readonly historyMs?: number | undefined;
	readonly log?: {
		/** Where log lines go: to stderr if not given. */
		readonly to?: Log;
		/** Whether every request is logged. If not given, only in a sandbox. */
		readonly requests?: boolean | undefined;
	};
}

export function createServing(
	store: Store,
	shared: Shared,
	options: ServingOptions,
) {
	const { log, metrics, limitUnsent, limitRate, sandbox } = shared;
	const failures = createFailureLog(log);
	const backupMaker = createMaker(store, options, log);
	const created = createSurfaces(store, options, {
		...shared,
		failures,
		backupMaker,
	});

	function toApp(surfaces: readonly Surface[]) {
		const app = createApp({
			surfaces,
			limitRate,
			limitUnsent,
			log,
			failures,
			apiKey: options.apiKey,
			logRequests: options.log?.requests ?? sandbox !== undefined,
			count: metrics.requests.count,
		});
		return { app, firstSegments: toFirstSegments(surfaces) };
	}

	const operators = toApp(created.operators);
	const stopWork = startWork(store, options, backupMaker, failures);
	return {
		store,
		/** For everyone. Without `operatorAddress`, it is the same as `operators`. */
		main: options.operatorAddress ? toApp(created.clients) : operators,
		operators,
		/** Also closes the store. */
		async close(): Promise<void> {
			stopWork();
			await backupMaker?.stop();
			failures.stop();
			await store.close();
		},
	};
}

/** Undefined without a folder, or for a database in memory, which the backup process could not read. */
function createMaker(
	{ backups }: Store,
	options: Pick<ServingOptions, "database" | "backups" | "backupKeep">,
	log: Log,
): BackupMaker | undefined {
	const { database, backups: folder, backupKeep: keep } = options;
	return folder === undefined || readDatabaseUrl(database).isInMemory
		? undefined
		: createBackupMaker(backups, { database, folder, keep }, log);
}

/** The background work: clean-up and automatic backups. Returns a function that stops it. */
function startWork(
	store: Store,
	options: Pick<ServingOptions, "backupEveryMs" | "historyMs">,
	maker: BackupMaker | undefined,
	failures: FailureLog,
): () => void {
	const { backupEveryMs, historyMs } = options;
	const stopCleanUp = startCleanUp(store.cleanUp, failures, historyMs);
	const stopSchedule =
		maker && backupEveryMs
			? startSchedule(store.backups, maker, backupEveryMs, failures)
			: undefined;
	return () => {
		stopCleanUp();
		stopSchedule?.();
	};
}
