// The whole service in one process, as one value. Only this file connects store, surfaces, server and log.
import { toExtraKey } from "./auth/keys.ts";
import { createAuthentication } from "./auth/sessions.ts";
import { toSite } from "./auth/site.ts";
import { createDownloads } from "./backups/download.ts";
import { type BackupOptions, startBackups } from "./backups/maker.ts";
import type { Address } from "./http/address.ts";
import { createApp } from "./http/app.ts";
import { toDocumentRoute } from "./http/operations.ts";
import { createUnsentLimit } from "./http/parts.ts";
import { toProbes } from "./http/probes.ts";
import { createRateLimiter, type Rate } from "./http/rate-limit.ts";
import { jsonHeaders } from "./http/reply.ts";
import { toFirstSegments } from "./http/router.ts";
import { listen, type Server } from "./http/server.ts";
import { anonymous, type Surface } from "./http/surface.ts";
import { type DocumentOptions, toOpenApi } from "./interface/openapi.ts";
import { createFailureLog, createLog, type Log } from "./log.ts";
import { createMetrics, createMetricsSurface } from "./metrics.ts";
import { createOperator, noOperator, operator } from "./operator/interface.ts";
import type { Sandbox, SandboxOptions } from "./sandbox/sandbox.ts";
import { startCleanUp } from "./store/clean-up.ts";
import { openStore, type Store } from "./store/store.ts";
import { createV1, v1 } from "./v1/interface.ts";
import type { ServedInterface } from "./web/layout.ts";
import { createPages } from "./web/routes.ts";

export interface PetstoreOptions {
	/** A database URL: `sqlite:PATH`, `sqlite::memory:` or `postgres://…`. */
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
	/** Makes the service a sandbox. Its database must be in memory, and its host this machine unless `allowHosts` names others. */
	readonly sandbox?: SandboxOptions | undefined;
}

export type Petstore = Awaited<ReturnType<typeof openPetstore>>;

export async function openPetstore(options: PetstoreOptions) {
	const { address = { host: "127.0.0.1", port: 0 }, operatorAddress } = options;
	const sandbox = await openSandbox(options, address);
	const servers: Server[] = [];
	function listenAtAll(): void {
		servers.push(listen(address));
		if (operatorAddress) servers.push(listen(operatorAddress));
	}
	let isStopping = false;
	let closeService = async () => {};
	async function stop(drainMs = 0): Promise<void> {
		isStopping = true;
		sandbox?.close();
		await Promise.all(servers.map((server) => server.stop(drainMs)));
		await closeService();
	}
	async function open() {
		// Before the store is opened, so that a start that cannot listen creates no database. At a shared port other copies answer until then.
		if (!address.reusePort) listenAtAll();
		const store = await openStore(options.database, {
			access: "create",
			isServing: true,
			keepsHistory: options.historyMs !== 0,
		});
		const service = serveOn(store, options, sandbox, () => isStopping);
		closeService = service.close;
		await sandbox?.start(store);
		if (address.reusePort) listenAtAll();
		return { store, ...service };
	}
	const { store, main, operators } = await open().catch(async (error) => {
		await stop();
		throw error;
	});
	const [server, ofOperators] = servers;
	server?.serve(main.app, main.firstSegments);
	ofOperators?.serve(operators.app, operators.firstSegments);
	const url = server?.url ?? "";
	return {
		/** Where to call it from this machine. */
		url,
		/** The same as `url` without `operatorAddress`. */
		operatorUrl: ofOperators?.url ?? url,
		/** Answers a request without a socket. */
		fetch: main.app,
		store,
		/** Keeps listening for `drainMs`, then answers the requests that have arrived, then closes the store. */
		stop,
	};
}

/** It is loaded only if it is used. */
async function openSandbox(
	{ sandbox, database }: PetstoreOptions,
	address: Address,
): Promise<Sandbox | undefined> {
	if (sandbox === undefined) return undefined;
	const loaded = await import("./sandbox/sandbox.ts");
	loaded.requireSandboxable(database, address, sandbox);
	return loaded.createSandbox(sandbox, [v1, operator]);
}

/** The service on its open store, without a socket: its surfaces as apps, and its background work. */
function serveOn(
	store: Store,
	options: PetstoreOptions,
	sandbox: Sandbox | undefined,
	isStopping: () => boolean,
) {
	const { database, address, apiKey, document = {}, rateLimit } = options;
	const { to: log = createLog(), requests = sandbox !== undefined } =
		options.log ?? {};
	const metrics = createMetrics(store.catalogue.adds);
	const failures = createFailureLog(log);
	const { reportWork: report } = failures;
	const backups = startBackups(store.backups, options, failures, log);
	const stopCleanUp = startCleanUp(store, failures, options.historyMs);
	/** What both addresses share. */
	const shared = {
		log,
		failures,
		logRequests: requests,
		limitUnsent: createUnsentLimit(),
		limitRate: rateLimit && createRateLimiter(rateLimit),
		count: metrics.requests.count,
	};
	const authentication = createAuthentication(
		store,
		[
			...(sandbox ? [sandbox.key] : []),
			...(apiKey ? [toExtraKey(apiKey)] : []),
		],
		toSite(address?.tls !== undefined, document.baseUrl),
		report,
		// A reset of the sandbox ends keys and sessions at once.
		sandbox ? 0 : undefined,
	);
	const { epoch = () => "" } = sandbox ?? {};
	const forClients = createV1({
		catalogue: store.catalogue,
		epoch,
		pages: metrics.pages,
		...authentication.byKey,
	});
	const forOperators = [
		...createOperator(
			store,
			authentication,
			{
				backupFolder: backups.folder,
				running: {
					startedAt: Date.now(),
					epoch,
					readRequests: metrics.requests.recent,
					report,
					backupMaker: backups.maker,
					download: createDownloads(),
				},
			},
			document,
		),
		createMetricsSurface({
			authenticate: authentication.bySession.authenticate,
			readBackups: backups.read,
			metrics,
		}),
	];

	/** Adds what needs no key, and the sandbox. */
	function toApp(
		interfaces: readonly ServedInterface[],
		surfaces: readonly Surface[],
	) {
		const pages = createPages({
			interfaces,
			hasConsole: interfaces.includes(operatorReference),
			database,
			sandbox: sandbox?.page,
			baseUrl: document.baseUrl,
			exampleKey: sandbox?.page.shownKey,
		});
		const open: Surface = {
			prefix: "",
			authenticate: () => anonymous,
			headers: jsonHeaders,
			routes: [
				...pages.routes,
				...toProbes(store.ping, isStopping),
				toDocumentRoute("/openapi.json", jsonHeaders, (version) =>
					toOpenApi(v1, document, version),
				),
			],
		};
		const own = [...surfaces, open];
		const all = sandbox?.addTo(own, pages.sandbox) ?? own;
		const app = createApp({ ...shared, surfaces: all });
		return {
			app: sandbox?.wrap(app) ?? app,
			firstSegments: toFirstSegments(all),
		};
	}

	const operators = toApp(
		[reference, operatorReference],
		[forClients, ...forOperators],
	);
	return {
		/** For everyone. Without `operatorAddress`, it is the same as `operators`. */
		main: options.operatorAddress
			? toApp(
					[reference],
					[forClients, noOperator, { ...noOperator, prefix: "/metrics" }],
				)
			: operators,
		operators,
		/** Also closes the store. */
		async close(): Promise<void> {
			stopCleanUp();
			await backups.stop();
			failures.stop();
			await store.close();
		},
	};
}

const reference = {
	described: v1,
	path: "/openapi.json",
	page: "docs",
} as const;
const operatorReference = {
	described: operator,
	path: "/operator/openapi.json",
	page: "docs/operator",
} as const;
