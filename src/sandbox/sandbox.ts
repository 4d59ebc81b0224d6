// The sandbox: a service for people who build clients. It has demo animals, a known key, faults on request, and shows the requests that it got.
// This file adds it to the service, whose parts know nothing of it.

import {
	type OpenApiVersion,
	toOpenApi,
} from "../contract/openapi/document.ts";
import type { Interface, Operation } from "../contract/operation.ts";
import { operator } from "../contract/operator/interface.ts";
import { v1 } from "../contract/v1/interface.ts";
import { versionPrefix } from "../contract/v1/operations.ts";
import { OperatorError } from "../domain/errors.ts";
import type { App } from "../http/app.ts";
import { createRouter } from "../http/router.ts";
import { type Address, toUrlHost } from "../http/server/address.ts";
import { noSocket, type Source } from "../http/source.ts";
import {
	anonymous,
	type Call,
	type Route,
	type Surface,
} from "../http/surface.ts";
import { splitUrl } from "../http/target.ts";
import { readDatabaseUrl } from "../store/database-url.ts";
import { openStore } from "../store/open.ts";
import type { OnAddBatch, Store } from "../store/store.ts";
import {
	type AccessOptions,
	allowFaultHeader,
	createAccess,
	requireHost,
} from "./access.ts";
import type { Delay } from "./fault-kinds.ts";
import { toGiven } from "./fault-rule.ts";
import { createFaults, type Faults, type FaultyExchange } from "./faults.ts";
import { ruleFields, sandboxInterface } from "./interface.ts";
import { createRequests } from "./requests.ts";
import { type Start, toParts } from "./start.ts";
import { createSandboxSurface } from "./surface.ts";

export type Sandbox = ReturnType<typeof createSandbox>;

/** What a sandbox starts with, and who may call it. */
export interface SandboxOptions extends Start, AccessOptions {
	/** How long every request waits, in milliseconds. */
	readonly delay?: Delay | undefined;
}

export function createSandbox(
	options: SandboxOptions,
	onAddBatch?: OnAddBatch,
) {
	const access = createAccess(options);
	const requests = createRequests();
	const running = new Map<Request, Exchange>();
	let start: Start = options;
	const faults = createFaults({
		...{ seed: start.seed, delay: options.delay },
		find: (request) => running.get(request),
	});
	/** The one that is served. */
	let current: Store | undefined;
	let replace = (store: Store): (() => Promise<void>) => store.close;
	let lastReset = Promise.resolve();
	/** Of requests to the sandbox itself. */
	const sources = new WeakMap<Request, Source>();
	let findOperation: (request: Request) => string | null = () => null;

	/** What has begun before gets the old store, and no reply. */
	async function reset(next: Start): Promise<void> {
		const store = await openFilled(next, onAddBatch);
		const closeOld = replace(store);
		current = store;
		const ended = [...running.values()];
		// Other demo animals are for this time only.
		if (typeof next.pets !== "number") start = next;
		running.clear();
		faults.reset(next.seed);
		requests.reset();
		for (const { cut } of ended) cut();
		void Promise.allSettled(ended.map(({ work }) => work)).then(closeOld);
	}

	function noteKey({ request, identity: { keyId } }: Call): void {
		const exchange = running.get(request);
		if (exchange !== undefined && keyId !== undefined)
			exchange.key = String(keyId);
	}

	async function answerOwn(
		app: App,
		request: Request,
		source: Source,
	): Promise<Response> {
		sources.set(request, source);
		const response = await app(request, source);
		access.allowOrigin(request, response);
		allowFaultHeader(response);
		return response;
	}

	async function answerRecorded(
		app: App,
		request: Request,
		source: Source,
	): Promise<Response> {
		const { promise: isCut, resolve: cut } = Promise.withResolvers<"cut">();
		const record = requests.begin(request);
		const exchange: Exchange = {
			cut: () => cut("cut"),
			work: Promise.resolve(),
			allowIdle: (ms) => source.allowIdle(request, ms),
			fault: undefined,
			unsentStatus: null,
			key: null,
			toSent: async (response) => response,
		};
		running.set(request, exchange);
		const work = Promise.resolve(app(request, source));
		exchange.work = work;
		const answered = await Promise.race([work, isCut]);
		const sent =
			answered === "cut" ? answered : await exchange.toSent(answered);
		running.delete(request);
		const { fault, unsentStatus, key } = exchange;
		await record({
			status: sent === "cut" ? null : sent.status,
			unsentStatus,
			requestId:
				answered === "cut" ? null : answered.headers.get("X-Request-Id"),
			operation: findOperation(request),
			fault: fault === undefined ? null : toGiven(fault),
			key,
		});
		return sent === "cut" ? source.cut(request) : sent;
	}

	return {
		key: access.key,
		/** Opens a store with the animals of the start. */
		async openStore(): Promise<Store> {
			current = await openFilled(start, onAddBatch);
			return current;
		},
		/** What its page needs to know. */
		page: {
			needsKey: access.needsKey,
			/** Pages show it, unless it is a secret. */
			shownKey: access.isKeySecret ? undefined : access.key.key,
			ruleFields,
			/** For the reference. */
			described: access.needsKey ? withScope : sandboxInterface,
		},
		/** The surfaces of the service with faults, and those of the sandbox with its page. */
		addTo(
			surfaces: readonly Surface[],
			page: Route | undefined,
		): readonly Surface[] {
			const route = createRouter(surfaces);
			findOperation = ({ url, method }) => {
				const { known } = route(splitUrl(url).path);
				const asked = method === "HEAD" ? "GET" : method;
				return known?.routes.get(asked)?.operationId ?? null;
			};
			const catalogue = surfaces.find(isCatalogue);
			return [
				...surfaces.map((surface) => {
					const faulty = toFaulty(surface, faults, noteKey);
					// The key is public, so a page of another site that reaches the sandbox by a name of its own must not use what is for operators.
					return surface.prefix === "" || isCatalogue(surface)
						? faulty
						: { ...faulty, admit: access.admit };
				}),
				createSandboxSurface({
					...{ faults, requests, access, page },
					countAnimals: () => countAnimals(current),
					start: () => start,
					// One after the other, so that the last that was asked for is the one that stays.
					reset(given) {
						const next = lastReset.then(() => reset(given));
						lastReset = next.catch(() => {});
						return next;
					},
					operationIds: surfaces.flatMap(({ routes }) =>
						routes.flatMap(({ operationId }) => operationId ?? []),
					),
					authenticate: catalogue?.authenticate ?? (() => anonymous),
					allowIdle: (request, ms) =>
						sources.get(request)?.allowIdle(request, ms),
					openapi: (version: OpenApiVersion) =>
						toOpenApi(sandboxInterface, noAddresses, version),
				}),
			];
		},
		/** The app, with its requests recorded and connections cut. */
		wrap(app: App): App {
			return (request, source = noSocket) => {
				const { path } = splitUrl(request.url);
				if (isOwnPath(path)) return answerOwn(app, request, source);
				// Pages load their files themselves, so they are not what a client has sent.
				if (path.startsWith("/assets/")) return app(request, source);
				return answerRecorded(app, request, source);
			};
		},
		/** `next` puts another store in the place of the one that is served. It returns what closes the old one. */
		onReset(next: typeof replace): void {
			replace = next;
		},
		/** Ends the delays of requests in progress. */
		close(): void {
			faults.close();
			requests.close();
		},
	};
}

/** A request in progress. */
interface Exchange extends FaultyExchange {
	/** Closes the connection in place of a reply. */
	readonly cut: () => void;
	work: Promise<unknown>;
	/** The id or the name of its key. */
	key: string | null;
}

async function openFilled(
	start: Start,
	onAddBatch: OnAddBatch,
): Promise<Store> {
	const store = await openStore("sqlite::memory:", {
		create: true,
		onAddBatch,
	});
	try {
		await store.archive.writeFirstPets(toParts(start));
		return store;
	} catch (error) {
		await store.close();
		throw error;
	}
}

/** The key and the faults of the sandbox are not for a real catalogue, nor by themselves for other machines. */
export function requireSandboxable(
	database: string,
	address: Address,
	{ allowHosts = [] }: AccessOptions,
): void {
	if (!readDatabaseUrl(database).isInMemory)
		throw new OperatorError(
			"The sandbox keeps its animals in memory: its database must be sqlite::memory:.",
			2,
		);
	requireHost(toUrlHost(address.host), allowHosts);
}

const withScope: Interface = {
	...sandboxInterface,
	operations: Object.fromEntries(
		Object.entries(sandboxInterface.operations).map(([id, operation]) => [
			id,
			{ ...operation, scope: "operator" },
		]),
	),
};

function isOwnPath(path: string): boolean {
	const { prefix } = sandboxInterface;
	return path === prefix || path.startsWith(`${prefix}/`);
}

/** Animals that are counted at once, by an index. */
const countSlice = 10_000;

async function countAnimals(store: Store | undefined): Promise<number> {
	let animals = 0;
	for (let afterId = 0n; store !== undefined; ) {
		const range = { afterId, limit: countSlice };
		const { count, lastId } = await store.catalogue.countPets(range);
		animals += count;
		if (lastId === undefined || count < countSlice) break;
		afterId = lastId;
	}
	return animals;
}

function isCatalogue({ prefix }: Surface): boolean {
	return prefix === versionPrefix;
}

/** Each operation with the faults that are asked for. */
function toFaulty(
	surface: Surface,
	faults: Faults,
	/** Called first, with each request for an operation. */
	note: (call: Call) => void,
): Surface {
	return {
		...surface,
		routes: surface.routes.map((route) => {
			const { operationId: id = "", handle } = route;
			const operation = operationsById.get(id);
			if (operation === undefined) return route;
			const codes = [...operation.errors, ...operation.furtherErrors];
			const isOfCatalogue = isCatalogue(surface);
			const faulty = { id, isOfCatalogue, codes };
			const wrapped = faults.wrap(faulty, handle);
			return {
				...route,
				handle(call) {
					note(call);
					return wrapped(call);
				},
			};
		}),
	};
}

const noAddresses = { baseUrl: undefined, stagingUrl: undefined };

const operationsById = new Map<string, Operation>(
	[v1, operator].flatMap(({ operations }) => Object.entries(operations)),
);
