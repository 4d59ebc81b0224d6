// The sandbox, for people who build clients: demo animals, a known key, faults on request, and recorded requests. This file adds it to the
// service, whose parts do not know it.
import { isLocalHost } from "../auth/site.ts";
import { versionPrefix } from "../contract/v1/operations.ts";
import { OperatorError } from "../domain/errors.ts";
import type { App } from "../http/app.ts";
import { noSocket, type Source } from "../http/exchange.ts";
import { type Address, toUrlHost } from "../http/server/address.ts";
import type { Surface } from "../http/surface.ts";
import { splitUrl } from "../http/target.ts";
import { readDatabaseUrl } from "../store/database-url.ts";
import { type OnAddBatch, openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { type DemoStart, toDemoParts } from "./demo-animals.ts";
import { createFaults, toOperationId } from "./faults.ts";
import { createRequests } from "./requests.ts";
import {
	allowLocalPage,
	createSandboxSurface,
	requireLocal,
	sandboxKey,
	sandboxPrefix,
} from "./surface.ts";

export type Sandbox = ReturnType<typeof createSandbox>;

export function createSandbox(start: DemoStart, onAddBatch?: OnAddBatch) {
	const requests = createRequests();
	const running = new Map<Request, Exchange>();
	const faults = createFaults({
		allowIdle: (request, ms) =>
			running.get(request)?.source.allowIdle(request, ms),
		cut: (request) => running.get(request)?.cut(),
	});
	let replace = (store: Store): (() => Promise<void>) => store.close;
	let lastReset = Promise.resolve();

	/** Requests that began before it use the old store and get no reply. */
	async function reset(next: DemoStart): Promise<void> {
		const store = await openFilled(next, onAddBatch);
		const closeOld = replace(store);
		const ended = [...running.values()];
		running.clear();
		faults.reset();
		requests.reset();
		for (const { cut } of ended) cut();
		void Promise.allSettled(ended.map(({ work }) => work)).then(closeOld);
	}

	async function answerRecorded(
		app: App,
		request: Request,
		source: Source,
	): Promise<Response> {
		const { promise: isCut, resolve: cut } = Promise.withResolvers<void>();
		const record = requests.begin(request);
		const exchange = { source, cut, work: Promise.resolve<unknown>(undefined) };
		running.set(request, exchange);
		const work = Promise.resolve(app(request, source));
		exchange.work = work;
		const response = await Promise.race([work, isCut]);
		running.delete(request);
		await record(response?.status ?? null);
		return response ?? source.cut(request);
	}

	return {
		key: sandboxKey,
		/** Opens a store with the animals of the start. */
		openStore: () => openFilled(start, onAddBatch),
		/** The surfaces of the service with faults, and that of the sandbox. */
		addTo: (surfaces: readonly Surface[]): readonly Surface[] => [
			...surfaces.map((surface) => {
				if (surface.prefix === versionPrefix)
					return { ...surface, routes: surface.routes.map(faults.wrap) };
				// The key is public, and a page of another site may reach the sandbox by a name of its own.
				return surface.prefix === ""
					? surface
					: { ...surface, admit: requireLocal };
			}),
			createSandboxSurface({
				faults,
				requests,
				start,
				// In turn, so that the last one stays.
				reset(given) {
					const next = lastReset.then(() => reset(given));
					lastReset = next.catch(() => {});
					return next;
				},
				operationIds: surfaces
					.filter(({ prefix }) => prefix === versionPrefix)
					.flatMap(({ routes }) => routes)
					.flatMap((route) => toOperationId(route) ?? []),
			}),
		],
		/** The app, with its requests recorded and connections cut. */
		wrap(app: App): App {
			return (request, source = noSocket) =>
				isOwnPath(request)
					? answerOwn(app, request, source)
					: answerRecorded(app, request, source);
		},
		/** `next` serves another store, and returns a function that closes the old one. */
		onReset(next: typeof replace): void {
			replace = next;
		},
		/** Ends the delays of requests in progress. */
		close: faults.close,
	};
}

/** A request in progress. */
interface Exchange {
	readonly source: Source;
	/** Closes the connection in place of a reply. */
	readonly cut: () => void;
	readonly work: Promise<unknown>;
}

async function openFilled(
	start: DemoStart,
	onAddBatch: OnAddBatch,
): Promise<Store> {
	const store = await openStore("sqlite::memory:", {
		create: true,
		onAddBatch,
	});
	try {
		await store.archive.writeFirstPets(toDemoParts(start));
		return store;
	} catch (error) {
		await store.close();
		throw error;
	}
}

/** The key and the faults of the sandbox are not for a real catalogue, nor for other machines. */
export function requireSandboxable(database: string, address: Address): void {
	if (!readDatabaseUrl(database).isInMemory)
		throw new OperatorError(
			"The sandbox keeps its animals in memory: its database must be sqlite::memory:.",
			2,
		);
	if (!isLocalHost(toUrlHost(address.host)))
		throw new OperatorError(
			"The sandbox is for this machine only: its host must be 127.0.0.1, ::1 or localhost.",
			2,
		);
}

async function answerOwn(
	app: App,
	request: Request,
	source: Source,
): Promise<Response> {
	const response = await app(request, source);
	allowLocalPage(request, response);
	return response;
}

function isOwnPath({ url }: Request): boolean {
	const { path } = splitUrl(url);
	return path === sandboxPrefix || path.startsWith(`${sandboxPrefix}/`);
}
