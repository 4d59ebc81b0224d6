// The sandbox: the service on a database in memory, for people who build clients. It has demo animals, a known key, faults on request and
// recorded requests. It wraps the service, whose parts know nothing of it.

import type { Address } from "../http/address.ts";
import type { App } from "../http/app.ts";
import { unstoredHeaders, withHeaders } from "../http/reply.ts";
import { splitUrl } from "../http/router.ts";
import {
	anonymous,
	type Call,
	noSocket,
	type Route,
	type Surface,
} from "../http/surface.ts";
import { toJson } from "../json.ts";
import { sumOf } from "../store/edits/totals.ts";
import type { Store } from "../store/store.ts";
import { versionPrefix } from "../v1/operation.ts";
import { type AccessOptions, createAccess } from "./access.ts";
import { createFaults } from "./faults.ts";
import { createRequests, readRequestQuery } from "./requests.ts";
import { type Rule, rulesType, toRuleFields } from "./rules.ts";
import { readBody, readStart, type Start, toPets } from "./start.ts";

export type Sandbox = ReturnType<typeof createSandbox>;

/** What a sandbox starts with, and who may call it. */
export interface SandboxOptions extends Start, AccessOptions {
	/** Fault rules at the start and after each reset. */
	readonly faults?: readonly Rule[] | undefined;
	/** Delay of every request to `/v1` and `/operator/v1`, in milliseconds. */
	readonly delay?: number | undefined;
}

const prefix = "/sandbox";

/** Demo animals that are made once: a reset takes two thirds of the time then, and leaves less memory to collect. */
const maxKept = 1_000;

export function createSandbox(options: SandboxOptions, address: Address) {
	const access = createAccess(options, address);
	const requests = createRequests(options.delay);
	const faults = createFaults(requests.of);
	let store: Store | undefined;
	const isFew = typeof options.pets === "number" && options.pets <= maxKept;
	const usual = isFew ? [...toPets(options)] : undefined;

	async function begin(start: Start): Promise<void> {
		const pets = start === options ? usual : undefined;
		await store?.archive.fill(pets ?? toPets(start));
		faults.put(options.faults ?? [], start.seed);
	}

	/** Without a value, the reply is a 204. */
	function toRoute(
		method: string,
		path: string,
		work: (call: Call) => unknown,
	): Route {
		return {
			method,
			path,
			scope: access.needsKey ? "operator" : undefined,
			headers: localHeaders,
			// Not logged: the page polls, and the log is for clients.
			isUnlogged: method === "GET",
			async handle(call) {
				const shown = await work(call);
				return shown === undefined ? { status: 204 } : { body: toJson(shown) };
			},
		};
	}

	/** docs/sandbox.md describes them. */
	const routes = [
		toRoute("POST", "/reset", async ({ request }) => {
			const start = await readStart(request, options);
			await requests.reset(() => begin(start));
		}),
		toRoute("GET", "/faults", faults.list),
		toRoute("PUT", "/faults", async ({ request }) =>
			faults.put(await readBody(request, rulesType)),
		),
		toRoute("DELETE", "/faults", () => faults.put([])),
		toRoute("GET", "/requests", ({ request, query, source }) => {
			const asked = readRequestQuery(query);
			source.allowIdle(request, asked.wait ?? 0);
			return requests.list(asked);
		}),
		toRoute("DELETE", "/requests", requests.clear),
		toRoute("GET", "/animals", async () => ({
			animals: store ? sumOf(await store.catalogue.readTotals()) : 0,
		})),
	];

	return {
		key: access.key,
		resets: requests.resets,
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
			const authenticate = v1?.authenticate ?? (() => anonymous);
			return [
				...surfaces.map((surface) => ({
					...surface,
					routes: surface.routes.map(faults.wrap),
					// The key is public, so operator paths also need the check against DNS rebinding.
					...(!["", versionPrefix].includes(surface.prefix) && {
						admit: access.admit,
					}),
				})),
				{
					prefix,
					admit: access.admit,
					headers: localHeaders,
					// The page is open to all: it shows no requests, and asks for the key.
					authenticate: (request, arrivedAt) =>
						access.needsKey && splitUrl(request.url).path !== prefix
							? authenticate(request, arrivedAt)
							: anonymous,
					routes: [page, ...routes],
				},
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
					return requests.answer(app, request, source);
				const response = await app.answer(request, source);
				if (first === "sandbox" && !access.admits(request))
					response.headers.delete("Access-Control-Allow-Origin");
				return response;
			}
			return { ...app, answer };
		},
		close: requests.close,
	};
}

/** `wrap` hides refusals from scripts of other origins. */
const localHeaders = withHeaders(unstoredHeaders, {
	"Access-Control-Allow-Origin": "*",
});
