// petstore-service/client: calls any pet store, with exact ids, pages that are followed, and adds that are repeated safely.
// It runs in Node.js, Bun, Deno and browsers, and imports nothing from the service.
import { followChanges } from "./changes.ts";
import { exchange } from "./exchange.ts";
import type { Client, CreateOptions, PageQuery } from "./interface.ts";
import {
	type CallOptions,
	type ClientOptions,
	requireCall,
	requireText,
	type Settings,
	toSettings,
} from "./options.ts";
import { type NewPet, newPetToJson, type Pet, toPet } from "./pet.ts";
import { createReads, type Reads } from "./reads.ts";
import { readBody } from "./reply.ts";

export { PetstoreError } from "./error.ts";
export type * from "./interface.ts";
export type {
	CallOptions,
	ClientOptions,
	DeprecationNotice,
	Fetch,
	Operation,
} from "./options.ts";
export type { NewPet, Pet, PetStatus } from "./pet.ts";

/** Throws a TypeError that names the wrong option. */
export function createClient(options: ClientOptions): Client {
	const settings = toSettings(options);
	const reads = createReads(settings);
	return {
		...reads,
		// Each loop over it begins with the first page.
		listPets: (query, options) => ({
			[Symbol.asyncIterator]: () => walk(reads, query, options),
		}),
		// Each loop over it begins with `after`.
		changes: (options) => ({
			[Symbol.asyncIterator]: () => followChanges(settings, options),
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
	return readBody(await exchange(settings, request, options), toPet);
}

/** Not `randomUUID`, which browsers have only on pages from HTTPS or localhost. */
function randomKey(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(
		"",
	);
}
