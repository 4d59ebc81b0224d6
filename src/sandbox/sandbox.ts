// The sandbox: the service on a database in memory, for people who build clients. It has demo animals, a known key, faults on request and
// recorded requests. It wraps the service, whose parts know nothing of it.
import { isLocalHost } from "../auth/site.ts";
import { Failure, OperatorError } from "../domain/errors.ts";
import { type Address, toUrlHost } from "../http/address.ts";
import type { App } from "../http/app.ts";
import { createRouter, splitUrl } from "../http/router.ts";
import {
	noSocket,
	type Route,
	type Source,
	type Surface,
} from "../http/surface.ts";
import { type Interface, operationsIn } from "../interface/operation.ts";
import { operator } from "../operator/interface.ts";
import type { Store } from "../store/store.ts";
import { v1 } from "../v1/interface.ts";
import { versionPrefix } from "../v1/operation.ts";
import { type AccessOptions, createAccess } from "./access.ts";
import { createControl } from "./control.ts";
import { createFaults, cutInHalf } from "./faults.ts";
import { createRequests, type Exchange } from "./requests.ts";
import { createRules, type KnownOperation } from "./rules.ts";
import { type Start, toPets } from "./start.ts";

export type Sandbox = ReturnType<typeof createSandbox>;

/** What a sandbox starts with, and who may call it. */
export interface SandboxOptions extends Start, AccessOptions {
	/** Fault rules, as parsed JSON. */
	readonly faults?: unknown;
	/** Delay of every request to `/v1` and `/operator/v1`, in milliseconds. */
	readonly delay?: number | undefined;
}

export function createSandbox(options: SandboxOptions, address: Address) {
	requireReachable(address, options);
	const operations = interfaces.flatMap(toKnownOperations);
	const access = createAccess(options);
	const requests = createRequests();
	const rules = createRules(operations);
	const startRules = orStop(() => rules.read(options.faults ?? [], "faults"));
	const faults = createFaults(operations, rules.readHeader, requests.of);
	let findOperation: (request: Request) => string | null = () => null;
	let store: Store | undefined;
	let resets = 0;
	/** Resets run one after the other, and requests wait for them. */
	let resetting: Promise<unknown> = Promise.resolve();

	async function begin(start: Start): Promise<void> {
		await store?.archive.fill(toPets(start));
		faults.put(startRules);
		faults.seed(start.seed);
	}

	/** Nothing that began before is still at work when the animals are replaced. */
	async function resetNow(start: Start): Promise<void> {
		const atWork = requests.reset();
		faults.endWaits();
		await Promise.allSettled(atWork);
		await begin(start);
		resets++;
	}

	async function answerRecorded(
		{ answer }: App,
		request: Request,
		source: Source,
	): Promise<Response> {
		const exchange = requests.begin(request);
		await resetting;
		if (exchange.isCut) return source.cut(request);
		const work = answerDelayed(answer, request, source);
		exchange.work = work;
		const response = await Promise.race([work, exchange.cut.promise]);
		const sent = response && (await toSent(response, exchange));
		const { record } = exchange;
		record.status = sent?.status ?? null;
		record.requestId = response?.headers.get("X-Request-Id") ?? null;
		record.operation = findOperation(request);
		await exchange.end();
		return sent === undefined || exchange.isCut ? source.cut(request) : sent;
	}

	/** Even a request that is then refused. */
	async function answerDelayed(
		answer: App["answer"],
		request: Request,
		source: Source,
	): Promise<Response> {
		const { path } = splitUrl(request.url);
		const isDelayed = interfaces.some(({ prefix }) =>
			path.startsWith(`${prefix}/`),
		);
		if (options.delay && isDelayed)
			await faults.wait({ request, source }, options.delay);
		return answer(request, source);
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
			const control = createControl({
				...{
					start: options,
					operations,
					access,
					rules,
					faults,
					requests,
					page,
				},
				async reset(start) {
					const turn = resetting.then(() => resetNow(start));
					resetting = turn.catch(() => {});
					await turn;
				},
				async countAnimals() {
					const counts = (await store?.catalogue.readCounts()) ?? [];
					return counts.reduce((sum, { pets }) => sum + pets, 0);
				},
				authenticate: surfaces.find(({ prefix }) => prefix === versionPrefix)
					?.authenticate,
			});
			return [
				...surfaces.map((surface) => ({
					...surface,
					routes: surface.routes.map(faults.wrap),
					// The key is public, so operator paths also need the check against DNS rebinding.
					...(!["", versionPrefix].includes(surface.prefix) && {
						admit: access.admit,
					}),
				})),
				control,
			];
		},
		/** Records the requests of the app, and closes connections for faults. */
		wrap(app: App): App {
			async function answer(
				request: Request,
				source = noSocket,
			): Promise<Response> {
				const [, first] = splitUrl(request.url).path.split("/");
				// Not recorded: pages load these files, not clients.
				if (first === "assets") return app.answer(request, source);
				if (first !== "sandbox") return answerRecorded(app, request, source);
				const response = await app.answer(request, source);
				access.allowOrigin(request, response);
				return response;
			}
			return { ...app, answer };
		},
		/** Ends all delays and waits. */
		close(): void {
			faults.close();
			requests.close();
		},
	};
}

const interfaces: readonly Interface[] = [v1, operator];

function toKnownOperations(described: Interface): readonly KnownOperation[] {
	const { prefix } = described;
	return operationsIn(described).map(({ id, operation }) => ({
		...operation,
		id,
		prefix,
	}));
}

/** What is sent of the reply; undefined if the connection is cut. */
async function toSent(
	response: Response,
	{ record, isCut }: Exchange,
): Promise<Response | undefined> {
	if (isCut) return undefined;
	if (record.fault?.drop !== "mid-body") return response;
	const sent = await cutInHalf(response);
	if (sent === undefined) record.unsentStatus = response.status;
	return sent;
}

function orStop<Value>(read: () => Value): Value {
	try {
		return read();
	} catch (error) {
		if (error instanceof Failure) throw new OperatorError(error.message, 2);
		throw error;
	}
}

/** The public key must not reach other machines without `allowHosts`. */
function requireReachable(
	address: Address,
	{ allowHosts = [] }: AccessOptions,
): void {
	const host = toUrlHost(address.host);
	if (!isLocalHost(host) && allowHosts.length === 0)
		throw new OperatorError(
			`The sandbox must not listen on ${host} without --allow-host: its key is public. Use 127.0.0.1, ::1 or localhost, or name the hosts that clients use, for example --allow-host petstore.`,
			2,
		);
}
