// listPets, createPet and getPet: one function each, from a call to a reply.
import { hash } from "node:crypto";
import type { Identity } from "./auth.ts";
import { readJsonBody } from "./body.ts";
import {
	cursor,
	limit,
	type NewPet,
	type OperationId,
	operations,
	status,
	versionPrefix,
} from "./contract.ts";
import { fromCursor, toCursor } from "./cursor.ts";
import { Failure } from "./errors.ts";
import { maxInt64 } from "./json.ts";
import { invalid, readParameter, visibleAscii } from "./parameter.ts";
import { petToJson, toNewPet, toPetId } from "./pet.ts";
import { type Reply, toConditionalReply } from "./reply.ts";
import type { Idempotency, Store } from "./store/store.ts";

export interface Call {
	readonly request: Request;
	readonly query: string;
	/** What stands at `{petId}`. */
	readonly segment: string;
	readonly identity: Identity;
	readonly store: Store;
	readonly now: number;
}

export const handlers: Readonly<
	Record<OperationId, (call: Call) => Promise<Reply>>
> = { listPets, createPet, getPet };

async function listPets({ request, query, store }: Call): Promise<Reply> {
	const asked = {
		limit: readParameter(query, limit),
		status: readParameter(query, status),
		cursor: readParameter(query, cursor),
	};
	const found = await store.listPets({
		// One more than asked for tells whether more follow.
		limit: asked.limit + 1,
		maxId:
			asked.cursor === undefined
				? maxInt64
				: fromCursor(asked.cursor, asked.status) - 1n,
		status: asked.status,
	});
	const pets = found.slice(0, asked.limit);
	const last = found.length > pets.length ? pets.at(-1) : undefined;
	return toConditionalReply(request, `[${pets.map(petToJson).join(",")}]`, {
		...(last && { Link: linkToNext(asked, toCursor(last.id, asked.status)) }),
	});
}

async function createPet(call: Call): Promise<Reply> {
	const { request, store } = call;
	const key = readIdempotencyKey(request.headers);
	const pet = toNewPet(await readJsonBody(request));
	const added = await store.addPet(pet, toIdempotency(call, key, pet));
	if (added.outcome === "mismatch")
		throw new Failure(
			"idempotency_mismatch",
			"Idempotency-Key was used before to add another animal.",
		);
	return {
		status: operations.createPet.success.status,
		headers: {
			Location: `${versionPrefix}/pets/${added.id}`,
			...(added.outcome === "replayed" && { "Idempotency-Replayed": "true" }),
		},
		body: petToJson({ id: added.id, ...pet }),
	};
}

async function getPet({ request, segment, store }: Call): Promise<Reply> {
	const id = toPetId(segment);
	const pet = id === undefined ? undefined : await store.getPet(id);
	if (pet === undefined)
		throw new Failure("not_found", "There is no animal with this petId.");
	return toConditionalReply(request, petToJson(pet));
}

function linkToNext(
	asked: { limit: number; status: string | undefined },
	cursor: string,
): string {
	const filter = asked.status === undefined ? "" : `status=${asked.status}&`;
	return `<${versionPrefix}/pets?limit=${asked.limit}&${filter}cursor=${cursor}>; rel="next"`;
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
	{ identity, now }: Call,
	key: string | undefined,
	{ name, categoryId, status }: NewPet,
): Idempotency | undefined {
	if (key === undefined) return undefined;
	const fingerprint = hash(
		"sha256",
		JSON.stringify([name, String(categoryId), status]),
	);
	return { owner: identity.keyHash, key, fingerprint, at: now };
}
