// The whole service in one process, as one value. Only this file connects store, surfaces, server and log.
import { createMetrics } from "./api/metrics.ts";
import type { App } from "./http/app.ts";
import { createRateLimiter, type Rate } from "./http/rate-limit.ts";
import type { Address } from "./http/server/address.ts";
import { listen, requireFree, type Server } from "./http/server/server.ts";
import { createUnsentLimit } from "./http/unsent.ts";
import { createLog } from "./log/log.ts";
import type { Sandbox, SandboxOptions } from "./sandbox/sandbox.ts";
import { createServing, type ServingOptions } from "./serving.ts";
import { openStore } from "./store/open.ts";
import type { Store } from "./store/store.ts";
import { createPageCode } from "./web/routes.ts";

export interface PetstoreOptions extends ServingOptions {
	/** Per key. */
	readonly rateLimit?: Rate | undefined;
	/** Makes the service a sandbox. Its database must be in memory, and its host this machine unless `allowHosts` names others. */
	readonly sandbox?: SandboxOptions | undefined;
	/** Called with the open store before the service listens. */
	readonly prepare?: ((store: Store) => Promise<void>) | undefined;
}

export type Petstore = Awaited<ReturnType<typeof openPetstore>>;

export async function openPetstore(options: PetstoreOptions) {
	const { rateLimit, address = freePort, operatorAddress } = options;
	const log = options.log?.to ?? createLog();
	const sandbox = await createSandboxIfAsked(options);
	// Before the store is opened, so that a start that cannot listen creates no database.
	requireFree(address, ...(operatorAddress ? [operatorAddress] : []));
	const store =
		(await sandbox?.openStore()) ??
		(await openStore(options.database, {
			create: true,
			keepsHistory: options.historyMs !== 0,
		}));
	try {
		await options.prepare?.(store);
	} catch (error) {
		await store.close();
		throw error;
	}

	let isStopping = false;
	const shared = {
		log,
		sandbox,
		metrics: createMetrics(),
		limitUnsent: createUnsentLimit(),
		pageCode: createPageCode(),
		limitRate: rateLimit && createRateLimiter(rateLimit),
		isStopping: () => isStopping,
	};
	let serving = createServing(store, shared, options);
	sandbox?.onReset((next) => {
		const replaced = serving;
		serving = createServing(next, shared, options);
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
	return createSandbox(sandbox);
}

const freePort: Address = { host: "127.0.0.1", port: 0 };
