// petstore-service/client: a client for any pet store. Ids are exact, paging is automatic, and adds are retried safely.
// It runs in Node.js, Bun, Deno and browsers, and imports nothing from the service.

import { findNext } from "./link.ts";
import {
	type CallOptions,
	type ClientOptions,
	callOptions,
	check,
	checkText,
	requireKnown,
	toSettings,
} from "./options.ts";
import {
	type NewPet,
	type Pet,
	type PetStatus,
	petToJson,
	toPet,
} from "./pet.ts";
import { PetstoreError, readBody, send } from "./send.ts";

export { parseExactly } from "./json.ts";
export type { CallOptions, ClientOptions, Fetch, Retry } from "./options.ts";
export type { NewPet, Pet, PetStatus } from "./pet.ts";
export { PetstoreError } from "./send.ts";

export interface Client {
	/** All matching animals, in the store's order. Pages are requested as the loop needs them. */
	listPets(query?: PageQuery, options?: CallOptions): AsyncIterable<Pet>;
	/** The first page of a query, or the page at `next` of an earlier one. */
	readPage(from?: PageQuery | string, options?: CallOptions): Promise<Page>;
	/** Adds an animal once, even if the request has to be repeated. */
	createPet(pet: NewPet, options?: CreateOptions): Promise<Pet>;
	getPet(id: bigint, options?: CallOptions): Promise<Pet>;
}

export interface PageQuery {
	readonly status?: PetStatus | undefined;
	/** The most animals on a page. */
	readonly limit?: number | undefined;
}

export interface Page {
	readonly pets: readonly Pet[];
	/** The URL of the next page; undefined on the last one. */
	readonly next: string | undefined;
}

export interface CreateOptions extends CallOptions {
	/** Generated if not given. The same key with the same animal adds it only once, even from another process. */
	readonly idempotencyKey?: string | undefined;
}

/** Throws a TypeError that names the wrong option. */
export function createClient(options: ClientOptions): Client {
	const settings = toSettings(options);
	const { base } = settings;
	const client: Client = {
		// Each loop starts at the first page.
		listPets: (query, options) => ({
			[Symbol.asyncIterator]: () => walk(client, query, options),
		}),
		async readPage(from = {}, options) {
			const request = { url: toPageUrl(base, from) };
			const reply = await send(settings, request, options);
			return readBody(reply, (json) => {
				const next = findNext(reply.headers.get("Link") ?? "", reply.url);
				check("the next page", next !== reply.url, "another one");
				return { pets: toPets(json), next };
			});
		},
		async createPet(pet, given = {}) {
			requireKnown(given, [...callOptions, "idempotencyKey"]);
			const { idempotencyKey = randomKey(), ...options } = given;
			checkText("idempotencyKey", idempotencyKey);
			const body = petToJson({ ...pet, id: undefined });
			const headers = {
				"Content-Type": "application/json",
				"Idempotency-Key": idempotencyKey,
			};
			const request = { url: `${base}/pets`, body, headers };
			return readBody(await send(settings, request, options), toPet);
		},
		async getPet(id, options) {
			check("id", typeof id === "bigint", "a bigint");
			const request = { url: `${base}/pets/${id}` };
			return readBody(await send(settings, request, options), toPet);
		},
	};
	return client;
}

async function* walk(
	{ readPage }: Client,
	query?: PageQuery,
	options?: CallOptions,
): AsyncGenerator<Pet, void> {
	let page = await readPage(query, options);
	yield* page.pets;
	while (page.next !== undefined) {
		page = await readPage(page.next, options);
		yield* page.pets;
	}
}

/** Refuses a page at another origin, which would get the key. */
function toPageUrl(base: string, from: PageQuery | string): string {
	const isFirst = typeof from !== "string";
	const url = new URL(isFirst ? `${base}/pets` : from, base);
	if (isFirst) {
		requireKnown(from, ["status", "limit"]);
		for (const [name, value] of Object.entries(from))
			if (value !== undefined) url.searchParams.set(name, value);
	}
	if (base.startsWith(`${url.origin}/`)) return url.href;
	throw new PetstoreError(
		"invalid_reply",
		`The next page is at ${url.origin}, but the key is only for ${base}.`,
	);
}

function toPets(json: unknown): Pet[] {
	check("the body", Array.isArray(json), "an array");
	return Array.from(Object(json), toPet);
}

/** Not `randomUUID`, which browsers have only on pages from HTTPS or localhost. */
function randomKey(): string {
	return crypto.getRandomValues(new BigUint64Array(2)).join("-");
}
