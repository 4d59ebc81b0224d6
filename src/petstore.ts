// The whole service in one process, as one value. Only this file connects store, surfaces, server and log.
import { toExtraKey } from "./auth/keys.ts";
import { createAuthentication } from "./auth/sessions.ts";
import { toSite } from "./auth/site.ts";
import { type BackupOptions, startBackups } from "./backups/maker.ts";
import type { Address } from "./http/address.ts";
import { type App, createApp } from "./http/app.ts";
import { requireOpenFiles, watchOpenFiles } from "./http/open-files.ts";
import { toDocumentRoute } from "./http/operations.ts";
import { createUnsent } from "./http/parts.ts";
import { toProbes } from "./http/probes.ts";
import { createRateLimiter, type Rate } from "./http/rate-limit.ts";
import { jsonHeaders } from "./http/reply.ts";
import { createRequestCounts } from "./http/request-counts.ts";
import { listen, type Server } from "./http/server.ts";
import { createSlots } from "./http/slots.ts";
import { openSurface, type Surface } from "./http/surface.ts";
import type { DocumentOptions } from "./interface/openapi.ts";
import { createFailureLog, createLog, type Log } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { maxHttpExports } from "./operator/export-pets.ts";
import { createOperator, withoutOperator } from "./operator/interface.ts";
import type { Sandbox, SandboxOptions } from "./sandbox/sandbox.ts";
import { startCleanUp } from "./store/clean-up.ts";
import { openStore, type Store } from "./store/store.ts";
import { createV1, v1 } from "./v1/interface.ts";
import { createPages } from "./web/routes.ts";

export interface PetstoreOptions {
	/** A database URL: `sqlite:PATH`, `sqlite::memory:` or `postgres://…`. A sandbox is always in memory. */
	readonly database: string;
	/** Where to listen: on a free port of 127.0.0.1 if not given. */
	readonly address?: Address;
	/** The only address of the operator interface, its documents, the console and the metrics; `address` if not given. */
	readonly operatorAddress?: Address | undefined;
	/** Accepted besides the stored keys. */
	readonly apiKey?: string | undefined;
	/** Per key. */
	readonly rateLimit?: Rate | undefined;
	/** Public URLs for the OpenAPI documents. */
	readonly document?: DocumentOptions;
	/** The backups that operators can make and download. */
	readonly backups?: BackupOptions | undefined;
	/** How long the history of animals is kept: 400 days if not given. 0 keeps none. */
	readonly historyMs?: number | undefined;
	readonly log?: {
		/** Where log lines go: to stderr if not given. */
		readonly to?: Log;
		/** Whether every request is logged. If not given, only in a sandbox. */
		readonly requests?: boolean | undefined;
	};
	/** Makes the service a sandbox. Its host must be this machine unless `allowHosts` names others. */
	readonly sandbox?: SandboxOptions | undefined;
}

export type Petstore = Awaited<ReturnType<typeof openPetstore>>;

export async function openPetstore(options: PetstoreOptions) {
	const { address = { host: "127.0.0.1", port: 0 }, operatorAddress } = options;
	// It is loaded only if it is used.
	const sandbox =
		options.sandbox &&
		(await import("./sandbox/sandbox.ts")).createSandbox(
			options.sandbox,
			address,
		);
	requireOpenFiles();
	const servers: Server[] = [];
	let isStopping = false;
	let closeService = async () => {};

	function listenAtAll(): void {
		for (const one of [address, operatorAddress])
			if (one !== undefined) servers.push(listen(one));
	}

	async function stop(drainMs = 0): Promise<void> {
		isStopping = true;
		sandbox?.close();
		await Promise.all(servers.map((server) => server.stop(drainMs)));
		await closeService();
	}

	try {
		// Before the store is opened, so that a start that cannot listen creates no database. At a shared port other copies answer until then.
		if (!address.reusePort) listenAtAll();
		const database = sandbox ? "sqlite::memory:" : options.database;
		const store = await openStore(database, {
			access: "create",
			isServing: true,
			keepsHistory: options.historyMs !== 0,
		});
		const service = openService(store, options, sandbox, () => isStopping);
		closeService = service.close;
		await sandbox?.start(store);
		if (address.reusePort) listenAtAll();
		const [server, ofOperators] = servers;
		server?.serve(service.main);
		ofOperators?.serve(service.operators);
		const url = server?.url ?? "";
		return {
			/** Where to call it from this machine. */
			url,
			/** The same as `url` without `operatorAddress`. */
			operatorUrl: ofOperators?.url ?? url,
			/** Answers a request without a socket. */
			fetch: service.main.answer,
			store,
			/** Keeps listening for `drainMs`, then answers the requests that have arrived, then closes the store. */
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/** The service on its open store, without a socket: its apps, and its background work. */
function openService(
	store: Store,
	options: PetstoreOptions,
	sandbox: Sandbox | undefined,
	isStopping: () => boolean,
) {
	const { database, address, apiKey, document = {}, rateLimit } = options;
	const { to: log = createLog(), requests: logRequests = !!sandbox } =
		options.log ?? {};
	const failures = createFailureLog(log);
	const report = failures.reportWork;
	const job = options.backups && { database, ...options.backups };
	const backups = startBackups(store.backups, job, failures, log);
	const stopWatch = watchOpenFiles(() =>
		failures.report(
			"warn",
			"the limit of open files is reached: connections wait",
			{},
		),
	);
	const stopCleanUp = startCleanUp(store, failures, options.historyMs);
	const requests = createRequestCounts();
	const resets = sandbox?.resets;
	const { catalogue } = store;
	const authentication = createAuthentication({
		store,
		fixedKeys: [sandbox?.key, toExtraKey(apiKey)],
		site: toSite(address?.tls !== undefined, document.baseUrl),
		report,
		// A reset of the sandbox ends keys and sessions at once.
		cacheMs: sandbox && 0,
	});
	const forClients = createV1({ catalogue, resets, ...authentication.byKey });
	const unsent = createUnsent();
	const running = {
		resets,
		report,
		readRequests: requests.recent,
		unsent,
		exports: createSlots(maxHttpExports),
		imports: createSlots(1),
	};
	const forOperators = [
		...createOperator({ store, backups, running }, authentication, document),
		createMetrics(authentication, backups.read, requests, catalogue.adds),
	];
	const limitRate = rateLimit && createRateLimiter(rateLimit);

	/** Adds what needs no key, and the sandbox. */
	function toApp(hasOperator: boolean, own: readonly Surface[]): App {
		const { baseUrl } = document;
		const common = { database, baseUrl, sandbox: sandbox?.page };
		const pages = createPages(common, hasOperator);
		const routes = [
			...pages.routes,
			...toProbes(store.ping, isStopping),
			toDocumentRoute("/openapi.json", jsonHeaders, v1, document),
		];
		const { answerMissing } = pages;
		const open = { ...openSurface, routes, answerMissing };
		const plain = [forClients, ...own, open];
		const surfaces = sandbox?.addTo(plain, pages.sandbox) ?? plain;
		const { count } = requests;
		const logging = { log, failures, logRequests };
		const app = createApp({ surfaces, limitRate, unsent, count, ...logging });
		return sandbox?.wrap(app) ?? app;
	}

	const operators = toApp(true, forOperators);
	return {
		/** Of `address`. */
		main: options.operatorAddress ? toApp(false, withoutOperator) : operators,
		operators,
		/** Also closes the store. */
		async close(): Promise<void> {
			stopWatch();
			stopCleanUp();
			backups.stop();
			failures.stop();
			await store.close();
		},
	};
}
