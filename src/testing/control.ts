// Controls the store of a test: resets it, sets faults, and reads recorded requests.
import { request } from "node:http";
import { text as readText } from "node:stream/consumers";
import { PetstoreError } from "../client/client.ts";
import { parseRounded } from "../client/json.ts";
import { requireKnown } from "../client/options.ts";
import { type OwnPet, petNames, petToJson } from "../client/pet.ts";
import type { RecordedRequest } from "./recorded-request.ts";

export type Control = ReturnType<typeof createControl>;

/** What the store starts with. */
export interface Start {
	/** The number of demo animals, or your own animals, all with ids or none; 250 if not given. */
	readonly pets?: number | readonly OwnPet[] | undefined;
	/** Seed for demo animals and random faults; 1 if not given. */
	readonly seed?: number | undefined;
}

/** Needs at least one of `delay`, `status` and `drop`. */
export interface FaultRule {
	/** An operation of `/v1` or `/operator/v1`; any of `/v1` if not given. */
	readonly operation?: string | undefined;
	/** How many matching requests pass first; 0 if not given. */
	readonly skip?: number | undefined;
	/** How many requests it affects; 1 if not given. */
	readonly times?: number | "always" | undefined;
	/** Probability for each request, from 0 to 1; 1 if not given. */
	readonly probability?: number | undefined;
	/** Delay before the request in milliseconds, up to 60,000. */
	readonly delay?: number | undefined;
	/** Error status of the reply, from 400 to 599. The request is not run. */
	readonly status?: number | undefined;
	/** Its Retry-After in seconds; null for none. */
	readonly retryAfter?: number | null | undefined;
	/** Its body instead of an Error. */
	readonly body?: "html" | "empty" | "garbage" | undefined;
	/** Closes the connection: before the request runs, after its commit but without a reply, or after half of the reply body. */
	readonly drop?: "before" | "after-commit" | "mid-body" | undefined;
}

/** Which requests to return, and how many to wait for. */
export interface RequestFilter {
	readonly operation?: string | undefined;
	readonly method?: string | undefined;
	/** Only requests that arrived at this time or later. */
	readonly since?: Date | undefined;
	/** Waits for this many requests. */
	readonly count?: number | undefined;
	/** How long to wait for `count`, in milliseconds; 5,000 if not given. */
	readonly wait?: number | undefined;
}

export function createControl(url: string) {
	async function call(
		method: string,
		path: string,
		body = "",
	): Promise<string> {
		const address = `${url}/sandbox/${path}`;
		const { status, text } = await send(address, method, body);
		if (status < 300) return text;
		const { code, message } = parseRounded<PetstoreError>(text);
		throw new PetstoreError(code, message, { status });
	}

	return {
		/**
		 * Restores the animals of the start, or sets others. Removes Idempotency-Keys, fault rules and recorded requests. Your own animals,
		 * given here, become the new start.
		 */
		async reset(start?: Start): Promise<void> {
			await call("POST", "reset", start && startToJson(start));
		},
		/** Replaces all fault rules. */
		async faults(rules: readonly FaultRule[]): Promise<void> {
			await call("PUT", "faults", JSON.stringify(rules));
		},
		/** The last 1,000 answered requests since the last reset, oldest first. */
		async requests(
			filter: RequestFilter = {},
		): Promise<readonly RecordedRequest[]> {
			requireKnown(filter, ["operation", "method", "since", "count", "wait"]);
			const { since, ...plain } = filter;
			const query = new URLSearchParams({ wait: "5000" });
			const asked = { ...plain, since: since?.toISOString() };
			for (const [name, value] of Object.entries(asked))
				if (value !== undefined) query.set(name, String(value));
			return parseRounded(await call("GET", `requests?${query}`));
		},
	};
}

/** JSON.stringify refuses a bigint. */
function startToJson(start: Start): string {
	requireKnown(start, ["pets", "seed"]);
	const { pets, seed } = start;
	// The store refuses other values than numbers and animals.
	const animals = Array.isArray(pets)
		? `[${pets.map(ownPetToJson)}]`
		: JSON.stringify(pets);
	const members = [
		...(pets === undefined ? [] : [`"pets":${animals}`]),
		...(seed === undefined ? [] : [`"seed":${JSON.stringify(seed)}`]),
	];
	return `{${members.join(",")}}`;
}

function ownPetToJson(pet: OwnPet): string {
	requireKnown(pet, petNames);
	return petToJson(pet);
}

/** Not with `fetch`: tests replace it, and Node.js loads it slowly. Each request has its own connection, since a test may block its process. */
function send(
	url: string,
	method: string,
	body: string,
): Promise<{ status: number; text: string }> {
	return new Promise((resolve, reject) => {
		request(url, { method, agent: false }, (reply) => {
			const { statusCode: status = 0 } = reply;
			readText(reply).then((text) => resolve({ status, text }), reject);
		})
			.once("error", (cause) =>
				reject(
					new PetstoreError(
						"network",
						"The pet store of this test does not answer: it was stopped, or its process has ended.",
						{ cause },
					),
				),
			)
			.end(body);
	});
}
