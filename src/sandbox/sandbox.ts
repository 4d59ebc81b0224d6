// The sandbox: a service for people who build clients, with demo animals, a known key, faults on request and recorded requests. It wraps
// the service, whose parts know nothing of it.

import { isLocalHost } from "../auth/site.ts";
import { createTurns } from "../domain/async.ts";
import { OperatorError } from "../domain/errors.ts";
import { type Address, toUrlHost } from "../http/address.ts";
import type { App } from "../http/app.ts";
import { createRouter, splitUrl } from "../http/router.ts";
import type { Route, Surface } from "../http/surface.ts";
import { noSocket, type Source } from "../http/surface.ts";
import {
	type Interface,
	operationsIn,
	toErrors,
	toStatus,
} from "../interface/operation.ts";
import { readDatabaseUrl } from "../store/database-url.ts";
import { openStore, type Store } from "../store/store.ts";
import { versionPrefix } from "../v1/operation.ts";
import { type AccessOptions, createAccess } from "./access.ts";
import { createRules, type KnownOperation } from "./fault-rule.ts";
import { createFaults } from "./faults.ts";
import { createRequests } from "./requests.ts";
import { readStart, type Start, toPets } from "./start.ts";
import { createSandboxSurface } from "./surface.ts";

export type Sandbox = ReturnType<typeof createSandbox>;

/** What a sandbox starts with, and who may call it. */
export interface SandboxOptions extends Start, AccessOptions {
	/** Delay of every request to `/v1` and `/operator/v1`, in milliseconds. */
	readonly delay?: number | undefined;
}

export function createSandbox(
	options: SandboxOptions,
	interfaces: readonly Interface[],
) {
	const { delay } = options;
	const operations = interfaces.flatMap(toKnownOperations);
	const access = createAccess(options);
	const requests = createRequests();
	const faults = createFaults(options.seed, operations);
	const { rules, fields } = createRules(operations);
	let start: Start = options;
	/** The served store. */
	let current: Store | undefined;
	let replace: ((store: Store) => () => Promise<void>) | undefined;
	let findOperation: (request: Request) => string | null = () => null;
	const running = new Set<Running>();
	// Resets run one after the other, so that the last one wins.
	const takeTurn = createTurns(0);

	/** Requests in progress keep the old store and get no reply. */
	async function reset(next: Start): Promise<void> {
		const store = await openFilled(next);
		const closeOld = replace?.(store);
		current = store;
		// Other demo animals do not change the start.
		if (typeof next.pets !== "number") start = next;
		const ended = [...running];
		running.clear();
		faults.reset(next.seed);
		requests.reset();
		for (const { cut } of ended) cut();
		void Promise.allSettled(ended.map(({ work }) => work)).then(closeOld);
	}

	async function answerOwn(
		app: App,
		request: Request,
		source: Source,
	): Promise<Response> {
		const response = await app(request, source);
		access.allowOrigin(request, response);
		return response;
	}

	async function answerRecorded(
		app: App,
		request: Request,
		source: Source,
	): Promise<Response> {
		const record = requests.begin(request);
		if (delay !== undefined) source.allowIdle(request, delay);
		const { promise: isCut, resolve } = Promise.withResolvers<"cut">();
		const work = Promise.resolve(app(request, source));
		const own: Running = { work, cut: () => resolve("cut") };
		running.add(own);
		const answered = await Promise.race([work, isCut]);
		const sent =
			answered === "cut" ? answered : await faults.toSent(request, answered);
		running.delete(own);
		const {
			fault = null,
			unsentStatus = null,
			key = null,
		} = faults.findOutcome(request) ?? {};
		await record({
			status: sent === "cut" ? null : sent.status,
			unsentStatus,
			requestId:
				answered === "cut" ? null : answered.headers.get("X-Request-Id"),
			operation: findOperation(request),
			fault,
			key,
		});
		return sent === "cut" ? source.cut(request) : sent;
	}

	return {
		key: access.key,
		/** Opens a store with the animals of the start. */
		async openStore(): Promise<Store> {
			current = await openFilled(start);
			return current;
		},
		/** The data of its page. */
		page: {
			needsKey: access.needsKey,
			/** Undefined if the key is secret. */
			shownKey: access.isKeySecret ? undefined : access.key.key,
			ruleFields: fields,
		},
		/** The surfaces of the service, with faults, and the surface of the sandbox, with its page. */
		addTo(
			surfaces: readonly Surface[],
			page: Route | undefined,
		): readonly Surface[] {
			const route = createRouter(surfaces);
			findOperation = ({ url, method }) =>
				route(url).path?.routes.get(method)?.operationId ?? null;
			return [
				...surfaces.map((surface) => {
					const routes = surface.routes.map(faults.wrap);
					const waiting =
						delay === undefined ? surface : faults.delay(surface, delay);
					const faulty = { ...waiting, routes };
					// The key is public, so operator paths also need the check against DNS rebinding.
					return surface.prefix === "" || isCatalogue(surface)
						? faulty
						: { ...faulty, admit: access.admit };
				}),
				createSandboxSurface({
					faults,
					requests,
					access,
					page,
					countAnimals: () => countAnimals(current),
					async reset(request) {
						const next = await readStart(request, start);
						await takeTurn(() => reset(next));
					},
					operations,
					rules,
					authenticate: surfaces.find(isCatalogue)?.authenticate,
				}),
			];
		},
		/** Records the requests of the app, and closes connections for faults. */
		wrap(app: App): App {
			return (request, source = noSocket) => {
				const { path } = splitUrl(request.url);
				if (path.split("/")[1] === "sandbox")
					return answerOwn(app, request, source);
				// Not recorded: pages load these files, not clients.
				if (path.startsWith("/assets/")) return app(request, source);
				return answerRecorded(app, request, source);
			};
		},
		/** `next` replaces the served store. It returns a function that closes the old one. */
		onReset(next: typeof replace): void {
			replace = next;
		},
		/** Ends all delays and waits. */
		close(): void {
			faults.close();
			requests.close();
		},
	};
}

function toKnownOperations(described: Interface): readonly KnownOperation[] {
	return operationsIn(described).map(({ id, operation }) => ({
		id,
		prefix: described.prefix,
		method: operation.method,
		path: operation.path,
		errors: toErrors(operation),
		status: toStatus(operation),
	}));
}

/** A request in progress. */
interface Running {
	readonly work: Promise<unknown>;
	/** Closes the connection instead of replying. */
	readonly cut: () => void;
}

async function countAnimals(store: Store | undefined): Promise<number> {
	const counts = (await store?.catalogue.readCounts()) ?? [];
	return counts.reduce((sum, { pets }) => sum + pets, 0);
}

async function openFilled(start: Start): Promise<Store> {
	const store = await openStore("sqlite::memory:", {
		access: "create",
		isServing: true,
	});
	try {
		await store.archive.fill(toPets(start));
		return store;
	} catch (error) {
		await store.close();
		throw error;
	}
}

/** The public key and the faults must not reach a stored catalogue, nor other machines without `allowHosts`. */
export function requireSandboxable(
	database: string,
	address: Address,
	{ allowHosts = [] }: AccessOptions,
): void {
	const host = toUrlHost(address.host);
	if (!readDatabaseUrl(database).isInMemory)
		throw new OperatorError(
			"The sandbox keeps its animals in memory: its database must be sqlite::memory:.",
			2,
		);
	if (!isLocalHost(host) && allowHosts.length === 0)
		throw new OperatorError(
			`The sandbox must not listen on ${host} without --allow-host: its key is public. Use 127.0.0.1, ::1 or localhost, or name the hosts that clients use, for example --allow-host petstore.`,
			2,
		);
}

function isCatalogue({ prefix }: Surface): boolean {
	return prefix === versionPrefix;
}
