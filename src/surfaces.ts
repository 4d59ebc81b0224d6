// Creates all surfaces of the service.
import manifest from "../package.json" with { type: "json" };
import {
	createAuthenticate,
	createIdentify,
	createUseRecord,
	type FixedKey,
} from "./auth/keys.ts";
import { createSessionAuthentication } from "./auth/sessions.ts";
import { toSite } from "./auth/site.ts";
import { createDownloads } from "./backups/download.ts";
import { type BackupFolder, withNewest } from "./backups/folder.ts";
import type { BackupMaker } from "./backups/maker.ts";
import type { Address } from "./http/address.ts";
import { toDocumentRoute } from "./http/operations.ts";
import { toProbes } from "./http/probes.ts";
import { jsonHeaders, operatorHeaders } from "./http/reply.ts";
import { anonymous, type Surface } from "./http/surface.ts";
import { toOpenApi } from "./interface/openapi.ts";
import type { FailureLog } from "./log.ts";
import { createMetricsSurface, type Metrics } from "./metrics.ts";
import {
	createOperator,
	createOperatorDocument,
	operator,
} from "./operator/interface.ts";
import { createSessions } from "./operator/sessions.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { limitPending } from "./store/pending-limit.ts";
import type { Store } from "./store/store.ts";
import { createV1, v1 } from "./v1/interface.ts";
import type { ServedInterface } from "./web/layout.ts";
import { createPages, type PageCode } from "./web/routes.ts";

export interface SurfaceOptions {
	/** A database URL: `sqlite:PATH`, `sqlite::memory:` or `postgres://…`. */
	readonly database: string;
	/** Where to listen: on a free port of 127.0.0.1 if not given. */
	readonly address?: Address;
	/** Accepted besides the stored keys. */
	readonly apiKey?: string | undefined;
	/** Public URLs for the OpenAPI documents. */
	readonly document?: {
		readonly baseUrl?: string | undefined;
		readonly stagingUrl?: string | undefined;
	};
	/** The folder of the backups that operators can make and download. */
	readonly backups?: string | undefined;
}

export interface SurfaceParts {
	readonly failures: FailureLog;
	readonly isStopping: () => boolean;
	readonly sandbox?: Pick<Sandbox, "key" | "page" | "addTo"> | undefined;
	readonly backupMaker: BackupMaker | undefined;
	readonly backupFolder: BackupFolder;
	readonly metrics: Metrics;
	readonly pageCode: PageCode;
}

export function createSurfaces(
	store: Store,
	{ database, address, apiKey, document = {} }: SurfaceOptions,
	parts: SurfaceParts,
) {
	const { failures, sandbox, metrics } = parts;
	const { baseUrl } = document;
	const { keys, sessions, ping } = store;
	const readBackups = async () =>
		withNewest(await store.backups.read(), parts.backupFolder.known());
	// One limit for all surfaces.
	const catalogue = limitPending(store.catalogue, metrics.store);
	const limited = { ...store, catalogue };
	const notRecorded = (what: string) => (error: unknown) =>
		failures.reportWork(error, `the last use of a ${what} was not recorded`);
	const fixedKeys: FixedKey[] = sandbox ? [sandbox.key] : [];
	if (apiKey)
		fixedKeys.push({
			key: apiKey,
			id: "PETSTORE_API_KEY",
			scope: "read-write",
		});
	const identify = createIdentify({
		keys,
		fixedKeys,
		onUnrecordedUse: notRecorded("key"),
	});
	const recordDeprecatedUse = createUseRecord(
		keys.recordDeprecatedUse,
		notRecorded("key"),
	);
	const authenticateByKey = createAuthenticate(identify);
	const site = toSite(address?.tls !== undefined, baseUrl);
	const authentication = createSessionAuthentication({
		sessions,
		site,
		authenticateByKey,
		onUnrecordedUse: notRecorded("session"),
	});
	const { authenticate } = authentication;
	const { version } = manifest;
	/** Adds what needs no key, and the sandbox. */
	function complete(
		audience: "everyone" | "operators",
		surfaces: readonly Surface[],
	): readonly Surface[] {
		const pages = createPages(
			{
				interfaces: toInterfaces(audience),
				hasConsole: audience === "operators",
				database,
				sandbox: sandbox?.page,
				baseUrl,
				exampleKey: sandbox?.page.shownKey,
			},
			parts.pageCode,
		);
		const open: Surface = {
			prefix: "",
			authenticate: () => anonymous,
			headers: jsonHeaders,
			routes: [
				...pages.routes,
				...toProbes(ping, parts.isStopping),
				toDocumentRoute("/openapi.json", jsonHeaders, (as) =>
					toOpenApi(v1, document, as),
				),
			],
		};
		const all = [...surfaces, open];
		return sandbox?.addTo(all, pages.sandbox) ?? all;
	}
	const ofClients = createV1(
		{
			catalogue,
			onPage(isCached) {
				metrics.pages[isCached ? "hit" : "miss"]++;
			},
			onDeprecatedCall({ keyId }) {
				if (typeof keyId === "number")
					recordDeprecatedUse({ id: keyId, lastUsedAt: undefined }, Date.now());
			},
		},
		authenticateByKey,
	);
	const ofOperators = [
		createOperator(limited, {
			...parts,
			authenticate,
			running: {
				startedAt: Date.now(),
				readRequests: metrics.requests.recent,
				report: failures.reportWork,
				backupMaker: parts.backupMaker,
				download: createDownloads(),
			},
		}),
		createSessions({ sessions, identify, site, authentication }),
		createOperatorDocument((as) => toOpenApi(operator, document, as)),
		createMetricsSurface({
			authenticate,
			version,
			readBackups,
			metrics,
		}),
	];
	return {
		/** Without the operator interface, its documents, the console and the metrics. */
		clients: complete("everyone", [
			ofClients,
			...["/operator", "/metrics"].map(toMissing),
		]),
		// Last, so that the sandbox knows all operations.
		operators: complete("operators", [ofClients, ...ofOperators]),
	};
}

/** Its 404 has no CORS headers: no page may learn which addresses operators use. */
function toMissing(prefix: string): Surface {
	return {
		prefix,
		authenticate: () => anonymous,
		headers: operatorHeaders,
		isSameOriginOnly: true,
		routes: [],
	};
}

/** For the reference page. */
function toInterfaces(
	audience: "everyone" | "operators",
): readonly ServedInterface[] {
	const interfaces: ServedInterface[] = [
		{ described: v1, path: "/openapi.json", page: "docs" },
	];
	if (audience === "operators")
		interfaces.push({
			described: operator,
			path: "/operator/openapi.json",
			page: "docs/operator",
		});
	return interfaces;
}
