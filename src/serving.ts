// The service on one open store, without a socket: its surfaces as an app, and what it does besides requests.

import { type App, createApp } from "./http/app.ts";
import type { RateLimiter } from "./http/rate-limit.ts";
import type { ReplyMemory } from "./http/reply-memory.ts";
import { toParts } from "./http/router.ts";
import type { Address } from "./http/server/address.ts";
import type { Surface } from "./http/surface.ts";
import type { Log } from "./log/log.ts";
import { createOutages } from "./log/outages.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { startCleanUp } from "./store/clean-up.ts";
import type { Store } from "./store/store.ts";
import { createSurfaces, type SurfaceOptions } from "./surfaces.ts";
import type { Counter } from "./usage/counter.ts";
import { startFlush } from "./usage/flush.ts";
import type { Metrics } from "./usage/metrics/metrics.ts";
import type { ReadAssets } from "./web/routes.ts";

export interface Serving {
	readonly store: Store;
	/** For everyone. It has what is for operators only if they have no address of their own. */
	readonly main: ServedApp;
	readonly operators: ServedApp;
	/** Ends the streams. */
	readonly endStreams: () => void;
	/** Also closes the store. */
	readonly close: () => Promise<void>;
}

export interface ServedApp {
	readonly app: App;
	/** The first segments of its paths. */
	readonly parts: readonly string[];
}

/** What goes on when the store is replaced by another. */
export interface Shared {
	readonly log: Log;
	readonly counter: Counter;
	readonly metrics: Metrics;
	readonly memory: ReplyMemory;
	readonly assets: ReadAssets;
	readonly limitRate: RateLimiter | undefined;
	readonly sandbox: Sandbox | undefined;
	readonly isStopping: () => boolean;
}

export interface ServingOptions extends SurfaceOptions {
	/** Where what is for operators answers, and nowhere else: their interface, the console, the metrics and their documents. At `address` if not given. */
	readonly operatorAddress?: Address | undefined;
	/** For how long browsers call it over HTTPS only, in seconds (HSTS); they are not told if not given. */
	readonly hstsSeconds?: number | undefined;
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
): Serving {
	const { log, counter, metrics, memory, limitRate, sandbox } = shared;
	const { hstsSeconds, processes } = options;
	const stopping = new AbortController();
	const outages = createOutages(store.ping, log);
	const flush = startFlush(counter, store.usage, outages);
	const { all, forClients, sandboxPage } = createSurfaces(store, options, {
		...{ outages, metrics, memory, assets: shared.assets },
		isStopping: shared.isStopping,
		sandbox,
		flushUsage: flush.now,
		stopping: stopping.signal,
	});

	function toApp(own: readonly Surface[]): ServedApp {
		const surfaces = sandbox?.addTo(own, sandboxPage) ?? own;
		const app = createApp({
			surfaces,
			limitRate,
			hsts: hstsSeconds === undefined ? undefined : `max-age=${hstsSeconds}`,
			memory,
			apiKey: options.apiKey,
			log,
			outages,
			logRequests: options.log?.requests ?? sandbox !== undefined,
			count: counter.count,
		});
		return { app, parts: toParts(surfaces) };
	}

	const operators = toApp(all);
	const stopCleanUp =
		processes?.cleanUp === false ? undefined : startCleanUp(store, outages);
	return {
		store,
		main: options.operatorAddress ? toApp(forClients) : operators,
		operators,
		endStreams: () => stopping.abort(),
		async close() {
			stopCleanUp?.();
			await flush.stop();
			outages.stop();
			await store.close();
		},
	};
}
