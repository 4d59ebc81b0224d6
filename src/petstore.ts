// The whole service in one process, as one value. This is the only place that connects store, surfaces, server and log. surfaces.ts has the
// surfaces.

import type { App } from "./http/app.ts";
import { createRateLimiter, type Rate } from "./http/rate-limit.ts";
import { createReplyMemory } from "./http/reply-memory.ts";
import type { Address } from "./http/server/address.ts";
import {
	findFreeAddresses,
	listen,
	type Server,
	type StopOptions,
} from "./http/server/server.ts";
import type { Tls } from "./http/server/tls.ts";
import { createLog, type Log } from "./log/log.ts";
import type { Sandbox, SandboxOptions } from "./sandbox/sandbox.ts";
import {
	createServing,
	type ServedApp,
	type ServingOptions,
	type Shared,
} from "./serving.ts";
import { type OnAddBatch, openStore, type StoreOptions } from "./store/open.ts";
import type { Store } from "./store/store.ts";
import { logMigration } from "./store/store.ts";
import { createCounter } from "./usage/counter.ts";
import { createMetrics } from "./usage/metrics/metrics.ts";
import type { Snapshot } from "./usage/metrics/snapshot.ts";
import { createAssets } from "./web/routes.ts";

export interface PetstoreOptions extends ServingOptions {
	/** A database URL: `sqlite:PATH`, `sqlite::memory:` or `postgres://…`. */
	readonly database: string;
	/** How the database is opened. It is created if it is not there yet, unless `create` is false. */
	readonly opening?: Partial<
		Pick<StoreOptions, "create" | "poolSize" | "memoryBytes">
	>;
	/** How often each key may call. */
	readonly rateLimit?: Rate | undefined;
	/** Makes the service a sandbox that begins with these animals. Its database must be in memory, and its host this machine unless `allowHosts` names others. */
	readonly sandbox?: SandboxOptions | undefined;
	/** Called with the open store before the service listens. */
	readonly prepare?: ((store: Store) => Promise<void>) | undefined;
}

export interface Petstore {
	/** Where to call it from this machine. */
	readonly url: string;
	/** Where operators call it. */
	readonly operatorUrl: string;
	/** Answers a request without a socket. */
	readonly fetch: App;
	/** That of a sandbox is another one after a reset. */
	readonly store: Store;
	/** Those of this process. */
	readonly readMetrics: () => Snapshot;
	/** Gives new connections this certificate. */
	readonly renewTls: (tls: Tls) => void;
	/** Keeps listening for `drainMs`, then answers the requests that have arrived, then closes the store. */
	readonly stop: (options?: StopOptions) => Promise<void>;
}

export async function openPetstore(
	options: PetstoreOptions,
): Promise<Petstore> {
	const log = options.log?.to ?? createLog();
	const counter = createCounter();
	const metrics = createMetrics(counter);
	const { onAddBatch } = metrics;
	const sandbox = await openSandboxIfAsked(options, onAddBatch);
	const store =
		(await sandbox?.openStore()) ??
		(await openStoreToServe(options, log, onAddBatch));
	try {
		await options.prepare?.(store);
	} catch (error) {
		await store.close();
		throw error;
	}
	return start(store, options, { log, sandbox, counter, metrics });
}

function openStoreToServe(
	options: PetstoreOptions,
	log: Log,
	onAddBatch: OnAddBatch,
): Promise<Store> {
	const { database, opening, address = freePort, operatorAddress } = options;
	// Before the store is opened, so that a start that cannot listen creates no database.
	if (!address.reusePort) findFreeAddresses(address, operatorAddress);
	return openStore(database, {
		create: true,
		...opening,
		onAddBatch,
		onMigration: logMigration(log),
	});
}

/** The sandbox is loaded only if it is used. */
async function openSandboxIfAsked(
	{ sandbox, database, address = freePort }: PetstoreOptions,
	onAddBatch: OnAddBatch,
): Promise<Sandbox | undefined> {
	if (sandbox === undefined) return undefined;
	const { createSandbox, requireSandboxable } = await import(
		"./sandbox/sandbox.ts"
	);
	requireSandboxable(database, address, sandbox);
	findFreeAddresses(address);
	return createSandbox(sandbox, onAddBatch);
}

async function start(
	store: Store,
	options: PetstoreOptions,
	parts: Pick<Shared, "log" | "sandbox" | "counter" | "metrics">,
): Promise<Petstore> {
	const { rateLimit, address = freePort, operatorAddress } = options;
	const { sandbox, metrics } = parts;
	let isStopping = false;
	const shared = {
		...parts,
		memory: createReplyMemory(),
		assets: createAssets(),
		limitRate: rateLimit && createRateLimiter(rateLimit),
		isStopping: () => isStopping,
	};
	let serving = createServing(store, shared, options);
	sandbox?.onReset((next) => {
		const replaced = serving;
		serving = createServing(next, shared, options);
		replaced.endStreams();
		return replaced.close;
	});
	/** The app of the store that is served when a request arrives. */
	function toApp(find: () => ServedApp): App {
		if (sandbox === undefined) return find().app;
		return sandbox.wrap((request, source) => find().app(request, source));
	}
	const app = toApp(() => serving.main);
	const servers: Server[] = [];
	async function close(stop: StopOptions): Promise<void> {
		serving.endStreams();
		sandbox?.close();
		await Promise.all(servers.map((server) => server.stop(stop)));
		await serving.close();
	}
	try {
		servers.push(listen(app, address, serving.main));
		if (operatorAddress) {
			const operatorApp = toApp(() => serving.operators);
			servers.push(listen(operatorApp, operatorAddress, serving.operators));
		}
	} catch (error) {
		await close({ drainMs: 0 });
		throw error;
	}
	const [{ url } = { url: "" }] = servers;
	return {
		url,
		operatorUrl: servers.at(-1)?.url ?? url,
		fetch: app,
		get store() {
			return serving.store;
		},
		readMetrics: metrics.read,
		renewTls(tls) {
			for (const { renewTls } of servers) renewTls(tls);
		},
		async stop(options = { drainMs: 0 }) {
			// A service that is replaced is as ready as before, for proxies that check /readyz.
			isStopping = !options.isReplaced;
			await close(options);
		},
	};
}

const freePort: Address = { host: "127.0.0.1", port: 0 };
