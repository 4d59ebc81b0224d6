// The whole service in one process, as one value. Only this file connects store, surfaces, server and log.

import { openFolder } from "./backups/folder.ts";
import { createBackupMaker, startSchedule } from "./backups/maker.ts";
import type { Address } from "./http/address.ts";
import { type App, createApp } from "./http/app.ts";
import { createUnsentLimit } from "./http/parts.ts";
import { createRateLimiter, type Rate } from "./http/rate-limit.ts";
import { toFirstSegments } from "./http/router.ts";
import { listen, requireFree, type Server } from "./http/server.ts";
import type { Surface } from "./http/surface.ts";
import { operationsIn, toErrors, toStatus } from "./interface/operation.ts";
import { createFailureLog, createLog, type Log } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { operator } from "./operator/interface.ts";
import type { Sandbox, SandboxOptions } from "./sandbox/sandbox.ts";
import { startCleanUp } from "./store/clean-up.ts";
import { readDatabaseUrl } from "./store/database-url.ts";
import type { Store } from "./store/store.ts";
import { openStore } from "./store/store.ts";
import { createSurfaces, type SurfaceOptions } from "./surfaces.ts";
import { v1 } from "./v1/interface.ts";
import { createPageCode } from "./web/routes.ts";

export interface PetstoreOptions extends SurfaceOptions {
	/** The only address of the operator interface, its documents, the console and the metrics; `address` if not given. */
	readonly operatorAddress?: Address | undefined;
	/** Per key. */
	readonly rateLimit?: Rate | undefined;
	/** Interval of automatic backups in the folder `backups`; only on request if not given. */
	readonly backupEveryMs?: number | undefined;
	/** How many of the newest backups stay in the folder; all if not given. */
	readonly backupKeep?: number | undefined;
	/** How long the history of animals is kept: 400 days if not given. 0 keeps none. */
	readonly historyMs?: number | undefined;
	readonly log?: {
		/** Where log lines go: to stderr if not given. */
		readonly to?: Log;
		/** Whether every request is logged. If not given, only in a sandbox. */
		readonly requests?: boolean | undefined;
	};
	/** Makes the service a sandbox. Its database must be in memory, and its host this machine unless `allowHosts` names others. */
	readonly sandbox?: SandboxOptions | undefined;
	/** Called with the open store before the service listens. */
	readonly prepare?: ((store: Store) => Promise<void>) | undefined;
}

export type Petstore = Awaited<ReturnType<typeof openPetstore>>;

export async function openPetstore(options: PetstoreOptions) {
	const { address = freePort, operatorAddress } = options;
	const sandbox = await createSandboxIfAsked(options);
	// Before the store is opened, so that a start that cannot listen creates no database.
	requireFree(address, ...(operatorAddress ? [operatorAddress] : []));
	const store =
		(await sandbox?.openStore()) ??
		(await openStore(options.database, {
			access: "create",
			isServing: true,
			keepsHistory: options.historyMs !== 0,
		}));
	try {
		await options.prepare?.(store);
	} catch (error) {
		await store.close();
		throw error;
	}

	let isStopping = false;
	const shared = createShared(options, sandbox, () => isStopping);
	let serving = serveOn(store, shared, options);
	sandbox?.onReset((next) => {
		const replaced = serving;
		serving = serveOn(next, shared, options);
		return replaced.close;
	});
	/** Read for each request: a reset replaces `serving`. */
	function toApp(of: "main" | "operators"): App {
		if (sandbox === undefined) return serving[of].app;
		return sandbox.wrap((request, source) => serving[of].app(request, source));
	}
	const servers: Server[] = [];
	async function close(drainMs: number): Promise<void> {
		sandbox?.close();
		await Promise.all(servers.map((server) => server.stop(drainMs)));
		await serving.close();
	}
	const open = (of: "main" | "operators", at: Address) =>
		servers.push(listen(toApp(of), at, serving[of].firstSegments));
	try {
		open("main", address);
		if (operatorAddress) open("operators", operatorAddress);
	} catch (error) {
		await close(0);
		throw error;
	}
	const [url = "", operatorUrl = url] = servers.map((server) => server.url);
	return {
		/** Where to call it from this machine. */
		url,
		/** The same as `url` without `operatorAddress`. */
		operatorUrl,
		/** Answers a request without a socket. */
		fetch: toApp("main"),
		/** A reset of a sandbox replaces it. */
		get store(): Store {
			return serving.store;
		},
		/** Keeps listening for `drainMs`, then answers the requests that have arrived, then closes the store. */
		async stop(drainMs = 0): Promise<void> {
			isStopping = true;
			await close(drainMs);
		},
	};
}

/** The sandbox is loaded only if it is used. */
async function createSandboxIfAsked({
	sandbox,
	database,
	address = freePort,
}: PetstoreOptions): Promise<Sandbox | undefined> {
	if (sandbox === undefined) return undefined;
	const { createSandbox, requireSandboxable } = await import(
		"./sandbox/sandbox.ts"
	);
	requireSandboxable(database, address, sandbox);
	return createSandbox(sandbox, knownOperations());
}

/** For a sandbox. */
function knownOperations() {
	return [v1, operator].flatMap((described) =>
		operationsIn(described).map(({ id, operation }) => ({
			id,
			prefix: described.prefix,
			method: operation.method,
			path: operation.path,
			errors: toErrors(operation),
			status: toStatus(operation),
		})),
	);
}

const freePort: Address = { host: "127.0.0.1", port: 0 };

/** What stays the same when a sandbox is reset. */
function createShared(
	{ log: { to: log = createLog() } = {}, rateLimit }: PetstoreOptions,
	sandbox: Sandbox | undefined,
	isStopping: () => boolean,
) {
	return {
		log,
		sandbox,
		isStopping,
		metrics: createMetrics(),
		limitUnsent: createUnsentLimit(),
		pageCode: createPageCode(),
		limitRate: rateLimit && createRateLimiter(rateLimit),
	};
}

/** The service on one open store, without a socket: its surfaces as apps, and its background work. */
function serveOn(
	store: Store,
	shared: ReturnType<typeof createShared>,
	options: PetstoreOptions,
) {
	const { log, metrics, sandbox } = shared;
	const { database, backups: folder, backupKeep: keep } = options;
	const failures = createFailureLog(log);
	// The process of a backup could not read a database in memory.
	const backupMaker =
		folder === undefined || readDatabaseUrl(database).isInMemory
			? undefined
			: createBackupMaker(store.backups, { database, folder, keep }, log);
	const backupFolder = openFolder(folder);
	// The first look, for whoever asks before a later one.
	backupFolder.known();
	const surfaces = createSurfaces(store, options, {
		...shared,
		failures,
		backupMaker,
		backupFolder,
	});

	function toApp(surfaces: readonly Surface[]) {
		const app = createApp({
			...shared,
			surfaces,
			failures,
			logRequests: options.log?.requests ?? sandbox !== undefined,
			count: metrics.requests.count,
		});
		return { app, firstSegments: toFirstSegments(surfaces) };
	}

	const operators = toApp(surfaces.operators);
	const { backupEveryMs, historyMs } = options;
	const stopCleanUp = startCleanUp(store, failures, historyMs);
	const stopSchedule =
		backupMaker && backupEveryMs
			? startSchedule(
					store.backups,
					backupMaker,
					backupFolder,
					backupEveryMs,
					failures,
				)
			: undefined;
	return {
		store,
		/** For everyone. Without `operatorAddress`, it is the same as `operators`. */
		main: options.operatorAddress ? toApp(surfaces.clients) : operators,
		operators,
		/** Also closes the store. */
		async close(): Promise<void> {
			stopCleanUp();
			stopSchedule?.();
			await backupMaker?.stop();
			failures.stop();
			await store.close();
		},
	};
}
