// The sandbox: the service on a database in memory, for people who build clients. It has demo animals, a known key, faults on request and
// recorded requests. It wraps the service, whose parts know nothing of it.
import { isLocalHost } from "../auth/site.ts";
import { Failure, OperatorError } from "../domain/errors.ts";
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
import type { Store } from "../store/store.ts";
import { versionPrefix } from "../v1/operation.ts";
import { type AccessOptions, createAccess } from "./access.ts";
import { createFaults, cutInHalf, type Exchange } from "./faults.ts";
import { createRequests } from "./requests.ts";
import { createRules, type KnownOperation } from "./rules.ts";
import { readStart, type Start, toPets } from "./start.ts";
import { createSandboxSurface } from "./surface.ts";

export type Sandbox = ReturnType<typeof createSandbox>;

/** What a sandbox starts with, and who may call it. */
export interface SandboxOptions extends Start, AccessOptions {
	/** Fault rules, as parsed JSON. */
	readonly faults?: unknown;
	/** Delay of every request to `/v1` and `/operator/v1`, in milliseconds. */
	readonly delay?: number | undefined;
}

/** A request in progress. */
interface Running {
	readonly exchange: Exchange;
	/** Answers by a cut connection. */
	readonly end: (cut: "cut") => void;
	work: Promise<Response> | undefined;
}

export function createSandbox(
	options: SandboxOptions,
	interfaces: readonly Interface[],
) {
	const { delay } = options;
	const operations = interfaces.flatMap(toKnownOperations);
	const access = createAccess(options);
	const requests = createRequests();
	const rules = createRules(operations);
	const startRules = readFaults(options, rules.read);
	const faults = createFaults(operations, rules.readHeader);
	const prefixes = new Set(operations.map(({ prefix }) => `${prefix}/`));
	const running = new Set<Running>();
	let findOperation: (request: Request) => string | null = () => null;
	let store: Store | undefined;
	let resets = 0;
	/** Resets run one after the other, and requests wait for them. */
	let resetting: Promise<unknown> = Promise.resolve();

	async function begin(start: Start): Promise<void> {
		await store?.archive.fill(toPets(start));
		faults.put(startRules);
		faults.seed(start.seed);
		requests.reset();
	}

	/** Nothing that began before is still at work when the animals are replaced. */
	async function reset(start: Start): Promise<void> {
		const ended = [...running];
		running.clear();
		for (const { exchange, end } of ended) {
			exchange.isCut = true;
			end("cut");
		}
		faults.endWaits();
		await Promise.allSettled(ended.map(({ work }) => work));
		await begin(start);
		resets++;
	}

	async function answerRecorded(
		app: App,
		request: Request,
		source: Source,
	): Promise<Response> {
		const exchange = faults.begin(request);
		const { promise: cut, resolve: end } = Promise.withResolvers<"cut">();
		const own: Running = { exchange, end, work: undefined };
		running.add(own);
		await resetting;
		if (exchange.isCut) return source.cut(request);
		const record = requests.begin(request);
		own.work = answerDelayed(app, request, source);
		const answered = await Promise.race([own.work, cut]);
		const response = answered === "cut" ? undefined : answered;
		const sent = response && (await toSent(response, exchange));
		await record({
			...exchange,
			status: sent?.status ?? null,
			requestId: response?.headers.get("X-Request-Id") ?? null,
			operation: findOperation(request),
		});
		running.delete(own);
		return sent === undefined || exchange.isCut ? source.cut(request) : sent;
	}

	/** Even a request that is then refused. */
	async function answerDelayed(
		app: App,
		request: Request,
		source: Source,
	): Promise<Response> {
		const { path } = splitUrl(request.url);
		if (delay && [...prefixes].some((prefix) => path.startsWith(prefix))) {
			source.allowIdle(request, delay);
			await faults.wait(delay);
		}
		return app(request, source);
	}

	return {
		key: access.key,
		/** Another one after each reset. */
		epoch: () => (resets === 0 ? "" : String(resets)),
		/** Fills the store with the animals of the start. */
		async start(opened: Store): Promise<void> {
			store = opened;
			await begin(options);
		},
		/** The data of its page. */
		page: {
			needsKey: access.needsKey,
			/** Undefined if the key is secret. */
			shownKey: access.isKeySecret ? undefined : access.key.key,
			ruleFields: rules.fields,
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
				...surfaces.map((surface) => ({
					...surface,
					routes: surface.routes.map(faults.wrap),
					// The key is public, so operator paths also need the check against DNS rebinding.
					...(!["", versionPrefix].includes(surface.prefix) && {
						admit: access.admit,
					}),
				})),
				createSandboxSurface({
					faults,
					requests,
					access,
					page,
					countAnimals: () => countAnimals(store),
					async reset(request) {
						const start = await readStart(request, options);
						const turn = resetting.then(() => reset(start));
						resetting = turn.catch(() => {});
						await turn;
					},
					operations,
					rules,
					authenticate: surfaces.find(({ prefix }) => prefix === versionPrefix)
						?.authenticate,
				}),
			];
		},
		/** Records the requests of the app, and closes connections for faults. */
		wrap(app: App): App {
			return async (request, source = noSocket) => {
				const { path } = splitUrl(request.url);
				// Not recorded: pages load these files, not clients.
				if (path.startsWith("/assets/")) return app(request, source);
				if (path.split("/")[1] !== "sandbox")
					return answerRecorded(app, request, source);
				const response = await app(request, source);
				access.allowOrigin(request, response);
				return response;
			};
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

/** What is sent of the reply; undefined if the connection is cut. */
async function toSent(
	response: Response,
	exchange: Exchange,
): Promise<Response | undefined> {
	if (exchange.isCut) return undefined;
	if (exchange.fault?.drop !== "mid-body") return response;
	const sent = await cutInHalf(response);
	if (sent === undefined) exchange.unsentStatus = response.status;
	return sent;
}

function readFaults(
	{ faults = [] }: SandboxOptions,
	read: ReturnType<typeof createRules>["read"],
) {
	try {
		return read(faults, "faults");
	} catch (error) {
		if (error instanceof Failure) throw new OperatorError(error.message, 2);
		throw error;
	}
}

async function countAnimals(store: Store | undefined): Promise<number> {
	const counts = (await store?.catalogue.readCounts()) ?? [];
	return counts.reduce((sum, { pets }) => sum + pets, 0);
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
