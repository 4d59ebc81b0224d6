// listPets, createPet and getPet: one function each, from a call to a reply.
import { hash } from "node:crypto";
import { type Awaitable, after } from "../async/awaitable.ts";
import { fromCursor, toCursor } from "../contract/cursor.ts";
import { Failure } from "../contract/errors.ts";
import { maxInt64 } from "../contract/json.ts";
import { invalid, readParameter, visibleAscii } from "../contract/parameter.ts";
import { petToJson, toNewPet, toPetId } from "../contract/pet.ts";
import {
	cursor,
	limit,
	type NewPet,
	type OperationId,
	operations,
	type Pet,
	type PetStatus,
	status,
	versionPrefix,
} from "../contract/v1.ts";
import type { Identity } from "../http/auth.ts";
import { readJsonBody } from "../http/body.ts";
import {
	type Reply,
	toChecksumTag,
	toTag,
	unlessKnown,
	withHeaders,
} from "../http/reply.ts";
import type { Catalogue, Idempotency } from "../store/store.ts";

/** A request to an operation, by a caller who may make it. */
export interface Call {
	readonly request: Request;
	readonly query: string;
	/** What stands at `{petId}`. */
	readonly segment: string;
	readonly identity: Identity;
	/** What every reply of the operation carries. */
	readonly headers: Headers;
}

export type Operations = Readonly<
	Record<OperationId, (call: Call) => Awaitable<Reply>>
>;

export function createOperations(store: Catalogue): Operations {
	// A store gives the same array again while nothing has changed; then it is not encoded again.
	const pages = new WeakMap<readonly Pet[], TaggedPage>();
	return {
		listPets: (call) => listPets(call, store, pages),
		createPet: (call) => createPet(call, store),
		getPet: (call) => getPet(call, store),
	};
}

function listPets(
	call: Call,
	store: Catalogue,
	pages: WeakMap<readonly Pet[], TaggedPage>,
): Awaitable<Reply> {
	const { query } = call;
	const asked = {
		limit: readParameter(query, limit),
		status: readParameter(query, status),
		cursor: readParameter(query, cursor),
	};
	const found = store.listPets({
		// One more than asked for tells whether more follow.
		limit: asked.limit + 1,
		maxId:
			asked.cursor === undefined
				? maxInt64
				: fromCursor(asked.cursor, asked.status) - 1n,
		status: asked.status,
	});
	return after(found, toListReply, { call, asked, pages });
}

function toListReply(
	pets: readonly Pet[],
	given: {
		call: Call;
		asked: Asked;
		pages: WeakMap<readonly Pet[], TaggedPage>;
	},
): Reply {
	const { call, asked, pages } = given;
	let page = pages.get(pets);
	if (page === undefined) {
		page = toPage(pets, asked, call.headers);
		pages.set(pets, page);
	}
	return unlessKnown(call.request, page.tag, page.reply);
}

interface Asked {
	readonly limit: number;
	readonly status: PetStatus | undefined;
}

async function createPet(call: Call, store: Catalogue): Promise<Reply> {
	const { request, headers } = call;
	const key = readIdempotencyKey(request.headers);
	const pet = toNewPet(await readJsonBody(request));
	const added = await store.addPet(pet, toIdempotency(call, key, pet));
	if (added.outcome === "mismatch")
		throw new Failure(
			"idempotency_mismatch",
			"Idempotency-Key was used before to add another animal.",
		);
	const { name, categoryId, status } = pet;
	const isReplayed = added.outcome === "replayed";
	return {
		status: operations.createPet.success.status,
		headers,
		own: {
			Location: `${versionPrefix}/pets/${added.id}`,
			...(isReplayed && { "Idempotency-Replayed": "true" }),
		},
		body: petToJson({ id: added.id, name, categoryId, status }),
	};
}

function getPet(call: Call, store: Catalogue): Awaitable<Reply> {
	const id = toPetId(call.segment);
	return after(
		id === undefined ? undefined : store.getPet(id),
		toPetReply,
		call,
	);
}

function toPetReply(pet: Pet | undefined, { request, headers }: Call): Reply {
	if (pet === undefined)
		throw new Failure("not_found", "There is no animal with this petId.");
	const body = petToJson(pet);
	const tag = toChecksumTag(body);
	const { status } = operations.getPet.success;
	return unlessKnown(request, tag, {
		status,
		headers,
		own: { ETag: tag },
		body,
	});
}

/** The animals that were asked for, with a Link to the next page when one more was found. */
function toPage(
	found: readonly Pet[],
	asked: Asked,
	headers: Headers,
): TaggedPage {
	const pets = found.slice(0, asked.limit);
	const body = `[${pets.map(petToJson).join(",")}]`;
	const tag = toTag(body);
	const last = found.length > pets.length ? pets.at(-1) : undefined;
	const own = {
		ETag: tag,
		...(last && { Link: linkToNext(asked, last.id) }),
	};
	const { status } = operations.listPets.success;
	return { tag, reply: { status, headers: withHeaders(headers, own), body } };
}

interface TaggedPage {
	readonly tag: string;
	/** Its headers are made once for all who ask for the page. */
	readonly reply: Reply;
}

function linkToNext({ limit, status }: Asked, lastId: bigint): string {
	const filter = status === undefined ? "" : `status=${status}&`;
	return `<${versionPrefix}/pets?limit=${limit}&${filter}cursor=${toCursor(lastId, status)}>; rel="next"`;
}

function readIdempotencyKey(headers: Headers): string | undefined {
	const key = headers.get("idempotency-key");
	if (key === null) return undefined;
	// A doubled header arrives joined by a comma and a space, which no single key has.
	if (visibleAscii.test(key)) return key;
	throw invalid(
		"Idempotency-Key",
		"must be 1 to 255 visible ASCII characters, given once",
	);
}

function toIdempotency(
	{ identity }: Call,
	key: string | undefined,
	{ name, categoryId, status }: NewPet,
): Idempotency | undefined {
	if (key === undefined) return undefined;
	const fingerprint = hash(
		"sha256",
		JSON.stringify([name, String(categoryId), status]),
	);
	return { owner: identity.keyHash, key, fingerprint, at: Date.now() };
}
