// What a test does with its store besides calling it: resets it, makes it fail, and reads its recorded requests.
import { request } from "node:http";
import { text as readText } from "node:stream/consumers";
import { type NewPet, PetstoreError } from "../client/client.ts";
import { requireKnown } from "../client/options.ts";
import { newPetToJson } from "../client/pet.ts";
import type { RecordedRequest } from "./recorded-request.ts";

export type Control = ReturnType<typeof createControl>;

/** What the store starts with. */
export interface Start {
	/** How many demo animals, or the animals themselves; 250 if not given. Ids are kept if the first animal has one. */
	readonly pets?: number | readonly OwnPet[] | undefined;
	/** The seed of demo animals and random faults: the same number gives the same ones; 1 if not given. */
	readonly seed?: number | undefined;
}

export interface OwnPet extends NewPet {
	readonly id?: bigint | undefined;
}

/** Has at least `delay`, `status`, `drop`, `bytesPerSecond` or `events`. */
export interface FaultRule {
	/** An operation of `/v1` or `/operator/v1`; any of `/v1` if not given. */
	readonly operation?: string | undefined;
	/** How many matching requests pass first; 0 if not given. */
	readonly skip?: number | undefined;
	/** How many requests it is for; 1 if not given. */
	readonly times?: number | "always" | undefined;
	/** How likely it is for each request, from 0 to 1; 1 if not given. */
	readonly probability?: number | undefined;
	/** How many milliseconds the request waits first, or [minimum, maximum]; up to 60,000. */
	readonly delay?: number | readonly [number, number] | undefined;
	/** The status of an error reply, from 400 to 599. The request is not done. */
	readonly status?: number | undefined;
	/** Seconds of its Retry-After; null for none. */
	readonly retryAfter?: number | null | undefined;
	/** What it has in place of the Error. */
	readonly body?: "html" | "empty" | "garbage" | undefined;
	/** The connection is cut: before the request is done, after it is done and stored but without a reply, or after half of the reply. */
	readonly drop?: "before" | "after-commit" | "mid-body" | undefined;
	/** How fast the body of the reply is sent. */
	readonly bytesPerSecond?: number | undefined;
	/** After this many events a stream of `listChanges` is cut. */
	readonly events?: number | undefined;
}

/** Which requests, and how many to wait for. */
export interface RequestFilter {
	readonly operation?: string | undefined;
	readonly method?: string | undefined;
	/** Only requests that arrived at this time or later. */
	readonly since?: Date | undefined;
	/** Waits until this many match. */
	readonly count?: number | undefined;
	/** How long it waits for them, in milliseconds; 5,000 if not given. */
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
		const { code, message } = JSON.parse(text);
		throw new PetstoreError(code, message, { status });
	}

	return {
		/**
		 * Back to the animals of the start, or to others. Idempotency-Keys, fault rules and recorded requests are removed. Own animals are those
		 * that the next plain reset brings back.
		 */
		async reset(start?: Start): Promise<void> {
			await call("POST", "reset", start && startToJson(start));
		},
		/** Replaces all fault rules. */
		async faults(rules: readonly FaultRule[]): Promise<void> {
			await call("PUT", "faults", JSON.stringify(rules));
		},
		/** The last 1,000 requests that were answered since the last reset, oldest first. */
		async requests(
			filter: RequestFilter = {},
		): Promise<readonly RecordedRequest[]> {
			requireKnown(filter, ["operation", "method", "since", "count", "wait"]);
			const { since, ...plain } = filter;
			const query = new URLSearchParams({ wait: "5000" });
			const asked = { ...plain, since: since?.toISOString() };
			for (const [name, value] of Object.entries(asked))
				if (value !== undefined) query.set(name, String(value));
			return JSON.parse(await call("GET", `requests?${query}`));
		},
	};
}

/** JSON.stringify takes no bigint. */
function startToJson(start: Start): string {
	requireKnown(start, ["pets", "seed"]);
	const { pets, seed } = start;
	const members = [
		...(Array.isArray(pets) ? [`"pets":[${pets.map(petToJson)}]`] : []),
		...(typeof pets === "number" ? [`"pets":${pets}`] : []),
		...(seed === undefined ? [] : [`"seed":${seed}`]),
	];
	return `{${members.join(",")}}`;
}

function petToJson({ id, ...pet }: OwnPet): string {
	requireKnown(pet, ["name", "categoryId", "status"]);
	const json = newPetToJson(pet);
	return id === undefined ? json : `{"id":${id},${json.slice(1)}`;
}

/** Without `fetch`, which tests replace, and which Node.js takes tens of milliseconds to load. */
function send(
	url: string,
	method: string,
	body: string,
): Promise<{ status: number; text: string }> {
	return new Promise((resolve, reject) => {
		request(url, { method }, (reply) => {
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
