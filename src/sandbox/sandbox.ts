// The sandbox: a service for people who build clients. It has demo animals, a known key, faults on request, and shows the requests that it got.
// This file adds it to the service, whose parts know nothing of it.
import { OperatorError } from "../contract/errors.ts";
import {
	type OperationId,
	operationIds,
	operations,
	versionPrefix,
} from "../contract/v1/operations.ts";
import { type Address, toUrlHost } from "../http/address.ts";
import type { App } from "../http/app.ts";
import type { FixedKey } from "../http/auth.ts";
import { noSocket, type Source } from "../http/exchange.ts";
import { isLocalHost } from "../http/local-host.ts";
import type { Route, Surface } from "../http/surface.ts";
import { splitUrl } from "../http/target.ts";
import { isInMemory, type OnAddBatch } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { allowFaultHeader, allowLocalOrigin, requireLocal } from "./access.ts";
import type { DemoStart } from "./demo-animals.ts";
import { createFaults, type Faults } from "./faults.ts";
import { sandboxKey } from "./key.ts";
import { createRequests } from "./requests.ts";
import { openDemoStore } from "./store.ts";
import { createSandboxSurface, sandboxPrefix } from "./surface.ts";

export interface Sandbox {
	readonly store: Store;
	readonly key: FixedKey;
	/** The surfaces of the service with faults, and that of the sandbox. */
	readonly addTo: (surfaces: readonly Surface[]) => readonly Surface[];
	/** The app, with its requests recorded and connections cut. */
	readonly wrap: (app: App) => App;
	/** Ends the delays of requests in progress. */
	readonly close: () => void;
}

export async function openSandbox(
	start: DemoStart,
	onAddBatch?: OnAddBatch,
): Promise<Sandbox> {
	const store = await openDemoStore(start, onAddBatch);
	const requests = createRequests();
	/** The requests in progress. */
	const exchanges = new WeakMap<Request, { source: Source; isCut: boolean }>();
	const faults = createFaults({
		allowIdle: (request, ms) =>
			exchanges.get(request)?.source.allowIdle(request, ms),
		drop(request) {
			const exchange = exchanges.get(request);
			if (exchange !== undefined) exchange.isCut = true;
		},
	});

	async function reset(given: Partial<DemoStart>): Promise<void> {
		await store.replace({ ...start, ...given });
		faults.put([]);
		requests.clear();
	}

	function wrap(app: App): App {
		return (request, source = noSocket) =>
			isOwnPath(request)
				? answerOwn(app, request, source)
				: answerRecorded(app, request, source);
	}

	async function answerRecorded(
		app: App,
		request: Request,
		source: Source,
	): Promise<Response> {
		const exchange = { source, isCut: false };
		exchanges.set(request, exchange);
		const recording = requests.begin(request);
		const response = await app(request, source);
		await recording.end(exchange.isCut ? null : response.status);
		return exchange.isCut ? source.cut(request) : response;
	}

	return {
		store,
		key: sandboxKey,
		addTo: (surfaces) => [
			...surfaces.map((surface) => {
				if (surface.prefix === versionPrefix) return toFaulty(surface, faults);
				return surface.prefix === "" ? surface : toLocal(surface);
			}),
			createSandboxSurface({
				faults,
				requests,
				reset,
				operationIds: toServed(surfaces),
			}),
		],
		wrap,
		close: faults.close,
	};
}

/** The key and the faults of the sandbox are not for a real catalogue, nor for other machines. */
export function requireSandboxable(database: string, address: Address): void {
	if (!isInMemory(database))
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
	allowLocalOrigin(request, response);
	allowFaultHeader(response);
	return response;
}

function isOwnPath({ url }: Request): boolean {
	const { path } = splitUrl(url);
	return path === sandboxPrefix || path.startsWith(`${sandboxPrefix}/`);
}

/** Its key is public, so a page of another site that reaches the sandbox by a name of its own must not use what is for operators. */
function toLocal(surface: Surface): Surface {
	return { ...surface, admit: requireLocal };
}

function toFaulty(surface: Surface, faults: Faults): Surface {
	return {
		...surface,
		routes: surface.routes.map((route) => {
			const id = toOperationId(route);
			return id === undefined
				? route
				: { ...route, handle: faults.wrap(id, route.handle) };
		}),
	};
}

function toServed(surfaces: readonly Surface[]): readonly OperationId[] {
	const routes = surfaces.flatMap(({ prefix, routes }) =>
		prefix === versionPrefix ? routes : [],
	);
	return routes.flatMap((route) => toOperationId(route) ?? []);
}

function toOperationId({ method, path }: Route): OperationId | undefined {
	return operationIds.find(
		(id) => operations[id].method === method && operations[id].path === path,
	);
}
