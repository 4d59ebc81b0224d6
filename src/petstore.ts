// The whole service in one process, as one value. This is the only place that connects store, authentication, surfaces, server and
// log.
import type { Logger } from "pino";
import manifest from "../package.json" with { type: "json" };
import { createOpenApi } from "./contract/openapi/document.ts";
import { operator } from "./contract/operator/interface.ts";
import { v1 } from "./contract/v1/interface.ts";
import {
	type OperationId,
	operationIds,
	versionPrefix,
} from "./contract/v1/operations.ts";
import type { Address } from "./http/address.ts";
import { type App, createApp } from "./http/app.ts";
import {
	createAuthenticate,
	createIdentify,
	type FixedKey,
} from "./http/auth.ts";
import { createRateLimiter, type Rate } from "./http/rate-limit.ts";
import { findFreeAddress, listen, type StopOptions } from "./http/server.ts";
import { createSessionAuthentication } from "./http/session-auth.ts";
import { toSite } from "./http/site.ts";
import type { Surface } from "./http/surface.ts";
import type { Tls } from "./http/tls.ts";
import { createLog } from "./log/log.ts";
import { createAttempts } from "./operator/sessions/attempts.ts";
import { createSessions } from "./operator/sessions/surface.ts";
import { createOperator, createOperatorDocument } from "./operator/surface.ts";
import { createPages } from "./pages/routes.ts";
import { createProbes } from "./probes/surface.ts";
import type { DemoStart } from "./sandbox/demo-animals.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { startCleanUp } from "./store/clean-up.ts";
import { type OnAddBatch, openStore } from "./store/open.ts";
import { createOutages, type Outages } from "./store/outages.ts";
import { limitPending } from "./store/pending-limit.ts";
import type { Store } from "./store/store.ts";
import { type Counter, createCounter } from "./usage/counter.ts";
import { startFlush } from "./usage/flush.ts";
import { createMetrics, type Metrics } from "./usage/metrics/metrics.ts";
import type { Snapshot } from "./usage/metrics/snapshot.ts";
import { createMetricsSurface } from "./usage/metrics/surface.ts";
import { createV1 } from "./v1/surface.ts";

export interface PetstoreOptions {
	/** A database URL: `sqlite:PATH`, `sqlite::memory:` or `postgres://…`. */
	readonly database: string;
	/** Whether to create a database that is not there yet; true if not given. */
	readonly create?: boolean;
	/** Connections to PostgreSQL at most. */
	readonly poolSize?: number;
	/** Where to listen: on a free port of 127.0.0.1 if not given. */
	readonly address?: Address;
	/** A key that is valid besides the stored ones. */
	readonly apiKey?: string | undefined;
	/** How often each key may call. */
	readonly rateLimit?: Rate | undefined;
	/** The operations to serve; all if not given. */
	readonly operationIds?: readonly OperationId[];
	/** Addresses for the OpenAPI document. */
	readonly baseUrl?: string | undefined;
	readonly stagingUrl?: string | undefined;
	/** Where log lines go: to stderr if not given. */
	readonly log?: Logger;
	/** Whether every request is logged. If not given, only in a sandbox. */
	readonly logRequests?: boolean | undefined;
	/** Makes the service a sandbox that begins with these demo animals. Its database must be in memory, and its host this machine. */
	readonly sandbox?: DemoStart | undefined;
	/** Called with the open store before the service listens. */
	readonly prepare?: ((store: Store) => Promise<void>) | undefined;
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
	const { database, create = true, poolSize, address = freePort } = options;
	// Before the store is opened, so that a start that cannot listen creates no database.
	if (!address.reusePort) findFreeAddress(address);
	return openStore(database, {
		create,
		onAddBatch,
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
	log: Logger,
	options: PetstoreOptions,
	{ sandbox, counter, metrics }: Parts,
): Petstore {
	const { rateLimit, address = freePort, cleanUp = true } = options;
	let isStopping = false;
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
	});
	const plainApp = createApp({
		surfaces: sandbox?.addTo(surfaces) ?? surfaces,
		limitRate: rateLimit && createRateLimiter(rateLimit),
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

interface SurfaceOptions extends PetstoreOptions {
	readonly sandboxKey?: FixedKey | undefined;
	/** Adds the counts of this process to the usage. */
	readonly flushUsage: () => Promise<void>;
	readonly metrics: Metrics;
}

/** All routes of the service but those of the sandbox. ARCHITECTURE.md lists them, and a test compares the two. */
export function createSurfaces(
	{ catalogue: unmeasured, keys, sessions, usage, describe, ping }: Store,
	outages: Outages,
	isStopping: () => boolean,
	options: SurfaceOptions,
): readonly Surface[] {
	const { operationIds: served = operationIds, apiKey, sandboxKey } = options;
	const { collectMetrics, metrics } = options;
	// One limit for all surfaces.
	const catalogue = limitPending(metrics.measure(unmeasured));
	const identify = createIdentify({
		keys,
		fixedKeys: [
			...(apiKey === undefined ? [] : [toFixedKey(apiKey)]),
			...(sandboxKey === undefined ? [] : [sandboxKey]),
		],
		onUnrecordedUse: (error) =>
			outages.reportWork(error, "the last use of a key was not recorded"),
	});
	const authenticate = createAuthenticate(identify);
	const site = toSite({
		hasTls: options.address?.tls !== undefined,
		baseUrl: options.baseUrl,
	});
	const authentication = createSessionAuthentication({
		sessions,
		site,
		authenticateByKey: authenticate,
		onUnrecordedUse: (error) =>
			outages.reportWork(error, "the last use of a session was not recorded"),
	});
	const openapi = createOpenApi(v1, {
		operationIds: served,
		baseUrl: options.baseUrl,
		stagingUrl: options.stagingUrl,
	});
	const operatorOpenapi = createOpenApi(operator, {
		baseUrl: options.baseUrl,
		stagingUrl: options.stagingUrl,
	});
	const pages = createPages({
		documents: [
			{
				path: "/openapi.json",
				prefix: versionPrefix,
				readText: () => openapi("3.1"),
			},
			{
				path: "/operator/openapi.json",
				audience: "operators",
				prefix: operator.prefix,
				readText: () => operatorOpenapi("3.1"),
			},
		],
		baseUrl: options.baseUrl,
		exampleKey: sandboxKey?.key,
	});
	return [
		createV1({
			catalogue,
			authenticate,
			operationIds: served,
			onPage: metrics.onPage,
		}),
		createOperator({
			catalogue,
			keys,
			usage,
			flushUsage: options.flushUsage,
			describe,
			authenticate: authentication.authenticate,
			facts: {
				version: manifest.version,
				startedAt: new Date(),
				workers: options.workers ?? 1,
			},
		}),
		createSessions({
			sessions,
			identify,
			site,
			authentication,
			countAttempt: createAttempts(),
		}),
		createOperatorDocument(operatorOpenapi),
		createMetricsSurface({
			authenticate: authentication.authenticate,
			version: manifest.version,
			collect: collectMetrics ?? (async () => metrics.read()),
		}),
		createProbes({ ping, isStopping, openapi, pages }),
	];
}

function toFixedKey(apiKey: string): FixedKey {
	return { key: apiKey, id: "PETSTORE_API_KEY", scope: "read-write" };
}
