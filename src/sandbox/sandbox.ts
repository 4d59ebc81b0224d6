// The sandbox: the service on a database in memory, for people who build clients. It has demo animals, a known key, faults on request and
// recorded requests. It wraps the service, whose parts know nothing of it.
import { once } from "node:events";
import { isLocalHost } from "../auth/site.ts";
import { OperatorError } from "../domain/errors.ts";
import { type Address, toUrlHost } from "../http/address.ts";
import type { App } from "../http/app.ts";
import { splitUrl } from "../http/router.ts";
import {
	anonymous,
	noSocket,
	type Route,
	type Source,
	type Surface,
} from "../http/surface.ts";
import { sumOf } from "../operator/operation.ts";
import type { Store } from "../store/store.ts";
import { versionPrefix } from "../v1/operation.ts";
import { type AccessOptions, createAccess } from "./access.ts";
import { createControl } from "./control.ts";
import { createFaults, cutInHalf } from "./faults.ts";
import { createRequests, type Exchange } from "./requests.ts";
import { type Rule, toRuleFields } from "./rules.ts";
import { readStart, type Start, toPets } from "./start.ts";

export type Sandbox = ReturnType<typeof createSandbox>;

/** What a sandbox starts with, and who may call it. */
export interface SandboxOptions extends Start, AccessOptions {
	/** Fault rules at the start and after each reset. */
	readonly faults?: readonly Rule[] | undefined;
	/** Delay of every operation, in milliseconds. */
	readonly delay?: number | undefined;
}

export function createSandbox(options: SandboxOptions, address: Address) {
	requireReachable(address, options);
	const access = createAccess(options);
	const requests = createRequests();
	const faults = createFaults(requests.of, options.delay);
	let store: Store | undefined;
	let resets = 0;
	/** Resets run one after the other, and requests wait for them. */
	let resetting: Promise<unknown> = Promise.resolve();

	async function begin(start: Start): Promise<void> {
		await store?.archive.fill(toPets(start));
		faults.begin(options.faults ?? [], start.seed);
	}

	async function reset(request: Request): Promise<void> {
		const start = await readStart(request, options);
		const turn = resetting.then(async () => {
			// Nothing that began before may be at work when the animals are replaced.
			await requests.reset();
			await begin(start);
			resets++;
		});
		resetting = turn.catch(() => {});
		await turn;
	}

	async function answerRecorded(
		app: App,
		request: Request,
		source: Source,
	): Promise<Response> {
		const exchange = requests.begin(request);
		const { record, ending } = exchange;
		await resetting;
		if (ending.aborted) return source.cut(request);
		const work = app.answer(request, source);
		exchange.work = work;
		// Closing the connection ends a body that still arrives.
		await Promise.race([work, once(ending, "abort")]);
		if (ending.aborted) return source.cut(request);
		const response = await work;
		record.requestId = response.headers.get("X-Request-Id");
		const sent = await toSent(response, request, record);
		record.status = sent?.status ?? null;
		await exchange.end();
		return sent === undefined || ending.aborted ? source.cut(request) : sent;
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
		page: { shownKey: access.shownKey, ruleFields: toRuleFields() },
		/** The surfaces of the service, with faults, and the surface of the sandbox, with its page. */
		addTo(surfaces: readonly Surface[], page: Route): readonly Surface[] {
			const v1 = surfaces.find(({ prefix }) => prefix === versionPrefix);
			const control = createControl({
				access,
				faults,
				requests,
				page,
				reset,
				countAnimals: async () =>
					sumOf((await store?.catalogue.readCounts()) ?? []),
				authenticate: v1?.authenticate ?? (() => anonymous),
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
				// Pages load the assets, not clients.
				if (first !== "sandbox" && first !== "assets")
					return answerRecorded(app, request, source);
				const response = await app.answer(request, source);
				if (first === "sandbox" && !access.admits(request))
					response.headers.delete("Access-Control-Allow-Origin");
				return response;
			}
			return { ...app, answer };
		},
		close: requests.reset,
	};
}

/** What is sent of the reply; undefined if the connection is cut. */
async function toSent(
	response: Response,
	{ method }: Request,
	record: Exchange["record"],
): Promise<Response | undefined> {
	const drop = record.fault?.drop;
	if (drop !== "mid-body") return drop === undefined ? response : undefined;
	// A HEAD gets no body that could be cut.
	const sent = method === "HEAD" ? undefined : await cutInHalf(response);
	if (sent === undefined) record.unsentStatus = response.status;
	return sent;
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
