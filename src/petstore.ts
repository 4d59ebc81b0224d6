// The whole service in one process, as one value. This is the only place that connects store, surfaces, server and log. surfaces.ts has the
// surfaces.
import type { OperationId } from "./contract/v1/operations.ts";
import type { Address } from "./http/address.ts";
import { type App, createApp } from "./http/app.ts";
import { createRateLimiter, type Rate } from "./http/rate-limit.ts";
import { findFreeAddress, listen, type StopOptions } from "./http/server.ts";
import type { Tls } from "./http/tls.ts";
import { createLog, type Log } from "./log/log.ts";
import type { DemoStart } from "./sandbox/demo-animals.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { startCleanUp } from "./store/clean-up.ts";
import { type OnAddBatch, openStore } from "./store/open.ts";
import { createOutages } from "./store/outages.ts";
import type { Store } from "./store/store.ts";
import { createSurfaces } from "./surfaces.ts";
import { type Counter, createCounter } from "./usage/counter.ts";
import { startFlush } from "./usage/flush.ts";
import { createMetrics, type Metrics } from "./usage/metrics/metrics.ts";
import type { Snapshot } from "./usage/metrics/snapshot.ts";

export interface PetstoreOptions {
	/** A database URL: `sqlite:PATH`, `sqlite::memory:` or `postgres://…`. */
	readonly database: string;
	/** Whether to create a database that is not there yet; true if not given. */
	readonly create?: boolean;
	/** Connections to PostgreSQL at most. */
	readonly poolSize?: number;
	/** What this process may take in memory: see `StoreOptions`. */
	readonly memoryBytes?: number | undefined;
	/** Where to listen: on a free port of 127.0.0.1 if not given. */
	readonly address?: Address;
	/** A key that is valid besides the stored ones. */
	readonly apiKey?: string | undefined;
	/** How often each key may call. */
	readonly rateLimit?: Rate | undefined;
	/** For how long browsers call it over HTTPS only, in seconds (HSTS); they are not told if not given. */
	readonly hstsSeconds?: number | undefined;
	/** The operations to serve; all if not given. */
	readonly operationIds?: readonly OperationId[];
	/** Addresses for the OpenAPI document. */
	readonly baseUrl?: string | undefined;
	readonly stagingUrl?: string | undefined;
	/** Where log lines go: to stderr if not given. */
	readonly log?: Log;
	/** Whether every request is logged. If not given, only in a sandbox. */
	readonly logRequests?: boolean | undefined;
	/** Makes the service a sandbox that begins with these demo animals. Its database must be in memory, and its host this machine. */
	readonly sandbox?: DemoStart | undefined;
	/** Called with the open store before the service listens. */
	readonly prepare?: ((store: Store) => Promise<void>) | undefined;
	/** The folder of the backups that operators can download. */
	readonly backups?: string | undefined;
	/** How many processes serve requests, this one included; 1 if not given. */
	readonly workers?: number;
	/** Whether to delete what has expired; true if not given. Workers leave it to their supervisor. */
	readonly cleanUp?: boolean;
	/** Gives the metrics of all processes of the service; those of this one alone if not given. */
	readonly collectMetrics?: (() => Promise<Snapshot>) | undefined;
}

export interface Petstore {
	/** Where to call it from this machine. */
	readonly url: string;
	/** Answers a request without a socket. */
	readonly fetch: App;
	readonly store: Store;
	/** Those of this process. */
	readonly readMetrics: () => Snapshot;
	/** Gives new connections this certificate, all of them after `connectionsEndMs`. */
	readonly renewTls: (tls: Tls) => void;
	/** Keeps listening for `drainMs`, then answers the requests that have arrived, then closes the store. */
	readonly stop: (options?: StopOptions) => Promise<void>;
}

export async function openPetstore(
	options: PetstoreOptions,
): Promise<Petstore> {
	const { log = createLog() } = options;
	const counter = createCounter();
	const metrics = createMetrics(counter);
	const { onAddBatch } = metrics;
	const sandbox = await openSandboxIfAsked(options, onAddBatch);
	const store = sandbox?.store ?? (await openStoreToServe(options, onAddBatch));
	try {
		await options.prepare?.(store);
		return start(store, log, options, { sandbox, counter, metrics });
	} catch (error) {
		await store.close();
		throw error;
	}
}

function openStoreToServe(
	options: PetstoreOptions,
	onAddBatch: OnAddBatch,
): Promise<Store> {
	const { database, create = true, address = freePort } = options;
	const { poolSize, memoryBytes } = options;
	// Before the store is opened, so that a start that cannot listen creates no database.
	if (!address.reusePort) findFreeAddress(address);
	return openStore(database, {
		create,
		onAddBatch,
		memoryBytes,
		...(poolSize !== undefined && { poolSize }),
	});
}

/** The sandbox is loaded only if it is used. */
async function openSandboxIfAsked(
	{ sandbox, database, address = freePort }: PetstoreOptions,
	onAddBatch: OnAddBatch,
): Promise<Sandbox | undefined> {
	if (sandbox === undefined) return undefined;
	const { openSandbox, requireSandboxable } = await import(
		"./sandbox/sandbox.ts"
	);
	requireSandboxable(database, address);
	findFreeAddress(address);
	return openSandbox(sandbox, onAddBatch);
}

function start(
	store: Store,
	log: Log,
	options: PetstoreOptions,
	{ sandbox, counter, metrics }: Parts,
): Petstore {
	const {
		rateLimit,
		hstsSeconds,
		address = freePort,
		cleanUp = true,
	} = options;
	let isStopping = false;
	const stopping = new AbortController();
	const outages = createOutages(store.ping, log);
	store.onFailure((failure) =>
		outages.reportWork(
			failure,
			"the files of the database are not those that were opened",
		),
	);
	const flush = startFlush(counter, store.usage, outages);
	const surfaces = createSurfaces(store, outages, () => isStopping, {
		...options,
		sandboxKey: sandbox?.key,
		flushUsage: flush.now,
		metrics,
		stopping: stopping.signal,
	});
	const plainApp = createApp({
		surfaces: sandbox?.addTo(surfaces) ?? surfaces,
		limitRate: rateLimit && createRateLimiter(rateLimit),
		hsts: hstsSeconds === undefined ? undefined : `max-age=${hstsSeconds}`,
		apiKey: options.apiKey,
		log,
		outages,
		logRequests: options.logRequests ?? sandbox !== undefined,
		count: counter.count,
	});
	const app = sandbox?.wrap(plainApp) ?? plainApp;
	const server = listen(app, address);
	const stopCleanUp = cleanUp ? startCleanUp(store, outages) : undefined;
	return {
		url: server.url,
		fetch: app,
		store,
		readMetrics: metrics.read,
		renewTls: server.renewTls,
		async stop(options = { drainMs: 0 }) {
			// A service that is replaced is as ready as before, for proxies that check /readyz.
			isStopping = !options.isReplaced;
			stopping.abort();
			sandbox?.close();
			await server.stop(options);
			stopCleanUp?.();
			await flush.stop();
			outages.stop();
			await store.close();
		},
	};
}

interface Parts {
	readonly sandbox: Sandbox | undefined;
	readonly counter: Counter;
	readonly metrics: Metrics;
}

const freePort: Address = { host: "127.0.0.1", port: 0 };
