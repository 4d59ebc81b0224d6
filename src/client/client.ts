// petstore-service/client: a client for any pet store. Ids are exact, paging is automatic, and adds are retried safely.
// It runs in Node.js, Bun, Deno and browsers, and imports nothing from the service.
import {
	type CallOptions,
	type ClientOptions,
	requireKnown,
	requireText,
	requireType,
	toSettings,
} from "./options.ts";
import {
	type NewPet,
	type Pet,
	type PetStatus,
	petToJson,
	toPet,
} from "./pet.ts";
import { PetstoreError, type Reply, readBody, send } from "./send.ts";

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
		async readPage(from = {}, options = {}) {
			const request = { url: toPageUrl(base, from) };
			const reply = await send(settings, request, options);
			return readBody(reply, (json) => ({
				pets: toPets(json),
				next: findNext(reply),
			}));
		},
		async createPet(pet, { idempotencyKey = randomKey(), ...options } = {}) {
			requireText("idempotencyKey", idempotencyKey);
			const body = petToJson({ ...pet, id: undefined });
			const request = { url: `${base}/pets`, body, idempotencyKey };
			return readBody(await send(settings, request, options), toPet);
		},
		async getPet(id, options = {}) {
			requireType("id", id, "bigint");
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
	if (typeof from !== "string") return `${base}/pets${toSearch(from)}`;
	const { origin } = new URL(base);
	const url = new URL(from, base);
	if (url.origin === origin) return url.href;
	throw new PetstoreError(
		"invalid_reply",
		`The next page is at ${from}, but the key is only for ${origin}.`,
	);
}

function toSearch(query: PageQuery): string {
	requireKnown(query, ["status", "limit"]);
	const parameters = Object.entries(query)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
	return parameters.length === 0 ? "" : `?${parameters.join("&")}`;
}

function toPets(json: unknown): Pet[] {
	if (!Array.isArray(json)) throw new Error("the body is not an array");
	return json.map(toPet);
}

/** The URL of the `next` link in the Link header. */
function findNext({ headers, url }: Reply): string | undefined {
	const [, target] =
		/<([^>]*)>[^<]*;\s*rel="?next\b/i.exec(headers.get("Link") ?? "") ?? [];
	return target && new URL(target, url).href;
}

/** Not `randomUUID`, which browsers have only on pages from HTTPS or localhost. */
function randomKey(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(
		"",
	);
}
