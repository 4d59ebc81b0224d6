// petstore-service/client: a client for any pet store. Ids are exact, paging is automatic, and adds are retried safely.
// It runs in Node.js, Bun, Deno and browsers, and imports nothing from the service.
import {
	type CallOptions,
	type ClientOptions,
	requireCall,
	requireText,
	type Settings,
	toSettings,
} from "./options.ts";
import { type NewPet, newPetToJson, type Pet, toPet } from "./pet.ts";
import { createReads, type PageQuery, type Reads } from "./reads.ts";
import { readBody } from "./reply.ts";
import { send } from "./send.ts";

export { parseExactly } from "./json.ts";
export type {
	CallOptions,
	ClientOptions,
	DeprecationNotice,
	Fetch,
	Operation,
} from "./options.ts";
export type { NewPet, Pet, PetStatus } from "./pet.ts";
export type {
	ConditionalOptions,
	Page,
	PageQuery,
	PetVersion,
	ReadOptions,
} from "./reads.ts";
export { PetstoreError } from "./reply.ts";

export interface Client extends Reads {
	/** All matching animals, in the store's order. Pages are requested as the loop needs them. */
	listPets(query?: PageQuery, options?: CallOptions): AsyncIterable<Pet>;
	/** Adds an animal once, even if the request has to be repeated. */
	createPet(pet: NewPet, options?: CreateOptions): Promise<Pet>;
	getPet(id: bigint, options?: CallOptions): Promise<Pet>;
}

export interface CreateOptions extends CallOptions {
	/** Generated if not given. The same key with the same animal adds it only once, even from another process. */
	readonly idempotencyKey?: string | undefined;
}

/** Throws a TypeError that names the wrong option. */
export function createClient(options: ClientOptions): Client {
	const settings = toSettings(options);
	const reads = createReads(settings);
	return {
		...reads,
		// Each loop starts at the first page.
		listPets: (query, options) => ({
			[Symbol.asyncIterator]: () => walk(reads, query, options),
		}),
		createPet: (pet, options) => createPet(settings, pet, options),
		getPet: async (id, options = {}) => {
			requireCall(options);
			return (await reads.readPet(id, options)).pet;
		},
	};
}

async function* walk(
	{ readPage }: Reads,
	query?: PageQuery,
	options: CallOptions = {},
): AsyncGenerator<Pet, void> {
	requireCall(options);
	let page = await readPage(query, options);
	yield* page.pets;
	while (page.next !== undefined) {
		page = await readPage(page.next, options);
		yield* page.pets;
	}
}

async function createPet(
	settings: Settings,
	pet: NewPet,
	options: CreateOptions = {},
): Promise<Pet> {
	requireCall(options, "idempotencyKey");
	const { idempotencyKey = randomKey() } = options;
	requireText("idempotencyKey", idempotencyKey);
	const request = {
		operation: "createPet",
		url: `${settings.base}/pets`,
		headers: { "Idempotency-Key": idempotencyKey },
		body: newPetToJson(pet),
	} as const;
	return readBody(await send(settings, request, options), toPet);
}

/** Not `randomUUID`, which browsers have only on pages from HTTPS or localhost. */
function randomKey(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(
		"",
	);
}
