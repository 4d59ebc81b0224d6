// Controls the store of a test: resets it, sets faults, and reads recorded requests.
import { once } from "node:events";
import * as http from "node:http";
import { text as readText } from "node:stream/consumers";
import {
	type ClientOptions,
	createClient,
	PetstoreError,
} from "../client/client.ts";
import { parseRounded, toJson } from "../client/json.ts";
import { type OwnPet, petsToJson } from "../client/pet.ts";
import type { Operation } from "./operations.ts";
import type { RecordedRequest } from "./recorded-request.ts";

export interface ConnectOptions extends Omit<ClientOptions, "key"> {
	/** Its API key; `sandbox` if not given. */
	readonly key?: string | undefined;
}

export interface Start {
	/** The number of demo animals, or your own animals, all with ids or none; 250 if not given. */
	readonly pets?: number | readonly OwnPet[] | undefined;
	/** Seed for demo animals and random faults; 1 if not given. */
	readonly seed?: number | undefined;
}

/** Needs at least one of `delay`, `status`, `reply` and `drop`. docs/sandbox.md describes the members. */
export interface FaultRule {
	/** Any operation of `/v1` if not given. */
	readonly operation?: Operation | undefined;
	/** As sent, without the query. */
	readonly path?: string | undefined;
	readonly method?: string | undefined;
	/** Names in any case, with their exact values. */
	readonly header?: Readonly<Record<string, string>> | undefined;
	/** How many matching requests pass first; 0 if not given. */
	readonly skip?: number | undefined;
	/** How many requests it affects; 1 if not given. */
	readonly times?: number | "always" | undefined;
	/** Probability for each request, from 0 to 1; 1 if not given. */
	readonly probability?: number | undefined;
	/** In milliseconds, up to 60,000. */
	readonly delay?: number | undefined;
	/** Of an error of the service. */
	readonly status?: number | undefined;
	readonly reply?: OwnReply | undefined;
	/** Runs the request before it sends `status` or `reply`. */
	readonly after?: true | undefined;
	/** Closes the connection. */
	readonly drop?: "before" | "after-commit" | "mid-body" | undefined;
}

export interface OwnReply {
	/** From 200 to 599. */
	readonly status: number;
	readonly headers?:
		| Readonly<Record<string, string | readonly string[]>>
		| undefined;
	/** A string is sent as it is, any other value as JSON. */
	readonly body?: unknown;
}

/** Which requests to return, and how many to wait for. */
export interface RequestFilter {
	readonly operation?: Operation | undefined;
	readonly method?: string | undefined;
	/** Without the query. */
	readonly path?: string | undefined;
	/** As `Name:value`. */
	readonly header?: string | undefined;
	/** Returns preflights of browsers too. */
	readonly preflights?: boolean | undefined;
	readonly since?: Date | undefined;
	/** Waits for this many requests, and rejects if fewer come in time. */
	readonly count?: number | undefined;
	/** How long to wait for `count`, in milliseconds; 4,000 if not given: many runners end a test after 5,000. */
	readonly wait?: number | undefined;
}

export type ConnectedPetstore = ReturnType<typeof connectPetstore>;

/** Connects to a sandbox that already runs. Sends nothing yet. */
export function connectPetstore(options: ConnectOptions) {
	const { key = "sandbox" } = options;
	const client = createClient({ ...options, key });
	const url = new URL(options.url).origin;

	/** Not with `fetch`, which tests replace. Each request has its own connection: a test may block its process. */
	async function call(method: string, path: string, body = "") {
		const target = `${url}/sandbox/${path}`;
		const headers = { Authorization: `Bearer ${key}` };
		// Loaded only for a sandbox behind a proxy.
		const { request } = url.startsWith("https:")
			? await import("node:https")
			: http;
		const sending = request(target, { method, headers, agent: false });
		sending.end(body);
		const [reply] = await once(sending, "response").catch((cause) => {
			const message = `${target} does not answer: the store has stopped.`;
			throw new PetstoreError("network", message, { cause });
		});
		const text = await readText(reply);
		const { statusCode: status } = reply;
		if (status < 300) return text;
		const { code, message } = parseRounded<PetstoreError>(text);
		throw new PetstoreError(code, message, { status });
	}

	const read = async (path: string) =>
		parseRounded<readonly RecordedRequest[]>(await call("GET", path));

	return {
		/** Its address, without `/v1`. */
		url,
		/** An API key with the scope `operator`. */
		key,
		/** A client of this store. */
		client,
		/** Restores the state of the start: its animals, or others this time, and its fault rules. Removes all else. */
		async reset(start?: Start): Promise<void> {
			await call("POST", "reset", start && startToJson(start));
		},
		/** Replaces all fault rules. */
		async faults(rules: readonly FaultRule[]): Promise<void> {
			await call("PUT", "faults", toJson(rules));
		},
		/** The last 1,000 answered requests since the last reset, oldest first. Rejects if fewer than `count` match in time. */
		async requests(filter: RequestFilter = {}) {
			const { count = 0, wait = 4_000 } = filter;
			// As JSON, a Date is in the form of the sandbox, and an undefined member is absent.
			const asked = JSON.stringify({ ...filter, wait });
			const query = new URLSearchParams(parseRounded(asked));
			const found = await read(`requests?${query}`);
			if (found.length >= count) return found;
			const came = (await read("requests"))
				.slice(-10)
				.map(({ method, path, status }) => `\n${method} ${path} ${status}`);
			const message = `Only ${found.length} of ${count} requests matched ${query}. ${came.length > 0 ? `The last that came:${came.join("")}` : "None came."}`;
			throw new PetstoreError("timeout", message);
		},
	};
}

function startToJson(start: Start): string {
	if (Array.isArray(start.pets)) petsToJson(start.pets);
	return toJson(start);
}
