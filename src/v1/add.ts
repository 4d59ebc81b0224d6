// createPet: adds an animal, at most once per Idempotency-Key.
import { type Authored, withoutKeyName } from "../domain/access/author.ts";
import { visibleAscii } from "../domain/access/secret.ts";
import { Failure, restate } from "../domain/errors.ts";
import { type GivenPet, toWhole } from "../domain/pet/pet.ts";
import { givenPetType } from "../domain/pet/pet-types.ts";
import { readJsonBody } from "../http/body.ts";
import type { OwnHeaders, Reply } from "../http/reply.ts";
import type { Call, Identity } from "../http/surface.ts";
import type { Catalogue } from "../store/animals/catalogue.ts";
import type { Added, Idempotency } from "../store/database/engine.ts";
import {
	type ClientOperation,
	type ClientService,
	versionPrefix,
} from "./operation.ts";
import { newPetType, petType, toNewPet } from "./pet.ts";

export const add: ClientOperation = {
	method: "POST",
	path: "/pets",
	scope: "read-write",
	summary: "Add an animal",
	description:
		"With an `Idempotency-Key` the request may be repeated safely for 24 hours. " +
		"Without one, repeat it after a 503 only if that has a `Retry-After`: otherwise the animal may have been added.",
	body: newPetType,
	reply: petType,
	status: 201,
	headers: ["Location", "Idempotency-Replayed"],
	located: "getPet",
	errors: [
		"invalid_parameter",
		"forbidden",
		"idempotency_mismatch",
		"ids_exhausted",
	],
	named: ["invalid_body", "unauthenticated"],
	example: { name: "Rex", categoryId: 1 },
	answer: addPet,
};

export async function addPet(
	{ catalogue }: ClientService,
	{ request, identity }: Call,
): Promise<Reply> {
	const key = readIdempotencyKey(request.headers);
	const pet = toNewPet(await readJsonBody(request));
	const added = await addOnce(catalogue, toWhole(pet), identity, key);
	return {
		own: toAddedHeaders(versionPrefix, added),
		body: petType.write({ ...pet, id: added.id }),
	};
}

export function readIdempotencyKey(headers: Headers): string | undefined {
	const key = headers.get("idempotency-key");
	// A repeated header arrives joined by a comma and a space, which makes it invalid.
	if (key === null || visibleAscii.test(key)) return key ?? undefined;
	throw new Failure(
		"invalid_parameter",
		"Idempotency-Key must be 1 to 255 visible ASCII characters, given once.",
	);
}

/** Stores the animal, or finds the one that was stored with the same key. */
export async function addOnce(
	catalogue: Catalogue,
	pet: GivenPet,
	{ author, keyHash }: Identity,
	key: string | undefined,
	/** Makes it an edit. */
	authored?: Authored,
) {
	const at = Date.now();
	const by = withoutKeyName(author);
	const idempotency =
		key === undefined ? undefined : toIdempotency(keyHash, key, pet, at);
	let added: Added;
	try {
		added = await catalogue.addPet(
			{ pet, idempotency, origin: { at, by } },
			authored,
		);
	} catch (error) {
		throw toAddFailure(error, key);
	}
	if (added.outcome === "mismatch")
		throw new Failure(
			"idempotency_mismatch",
			"Idempotency-Key was used before to add another animal.",
		);
	return added.outcome === "replayed"
		? { id: added.id, isReplayed: true, at: added.at, by }
		: { id: added.id, isReplayed: false, at, by };
}

export function toAddedHeaders(
	prefix: string,
	{ id, isReplayed }: { readonly id: bigint; readonly isReplayed: boolean },
): OwnHeaders {
	const Location = `${prefix}/pets/${id}`;
	return isReplayed
		? { Location, "Idempotency-Replayed": "true" }
		: { Location };
}

function toIdempotency(
	owner: string,
	key: string,
	pet: GivenPet,
	at: number,
): Idempotency {
	const fingerprint = Bun.SHA256.hash(givenPetType.write(pet), "hex");
	return { owner, key, fingerprint, at };
}

/** Has a `Retry-After` only if repeating the request cannot add a second animal. */
function toAddFailure(error: unknown, key: string | undefined): unknown {
	return key === undefined
		? restate(error, nothingAdded, mayBeAdded, { mayRepeat: false })
		: restate(error, nothingAdded, mayBeAddedWithKey);
}

/** "This request", since an earlier one with the same Idempotency-Key may have added the animal. */
const nothingAdded =
	"The store cannot answer now. This request added nothing; try again.";
const mayBeAdded =
	"It is not known whether the animal was added. Look for it in the list before you add it again. With an Idempotency-Key the request could be repeated safely.";
const mayBeAddedWithKey =
	"It is not known whether the animal was added; repeat the request with the same Idempotency-Key.";
