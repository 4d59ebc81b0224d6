// Adds an animal, at most once for each Idempotency-Key, for both interfaces.

import { httpStatus } from "../../contract/operation.ts";
import { invalid, visibleAscii } from "../../contract/parameter.ts";
import { toAddFailure } from "../../contract/retry.ts";
import { Failure } from "../../domain/errors.ts";
import { sha256 } from "../../domain/hash.ts";
import type { Only } from "../../domain/only.ts";
import { type NewPet, toNewPet } from "../../domain/pet.ts";
import { readJsonBody } from "../../http/body.ts";
import type { OwnHeaders } from "../../http/reply.ts";
import type { Route } from "../../http/surface.ts";
import type { Added, Catalogue, Idempotency } from "../../store/catalogue.ts";
import type { PetToJson } from "./get-pet.ts";

export function addPet(
	catalogue: Catalogue,
	/** What the Location of an animal begins with; undefined if nothing answers there. */
	location: string | undefined,
	toJson: PetToJson,
): Route["handle"] {
	return async ({ request, identity, headers }) => {
		const key = readIdempotencyKey(request.headers);
		const pet = toNewPet(await readJsonBody(request));
		const { keyHash, keyId } = identity;
		const at = Date.now();
		const by = typeof keyId === "number" ? keyId : null;
		const idempotency =
			key === undefined ? undefined : toIdempotency(keyHash, key, pet, at);
		const added = await add(catalogue, pet, idempotency, { at, by });
		const { id } = added;
		const addedAt = added.outcome === "replayed" ? added.at : at;
		const { name, categoryId, status } = pet;
		return {
			status: httpStatus.created,
			headers,
			own: toOwnHeaders(location, added),
			body: toJson({
				...{ id, name, categoryId, status },
				version: id,
				addedAt: BigInt(addedAt),
				addedBy: by === null ? null : BigInt(by),
			}),
		};
	};
}

async function add(
	catalogue: Catalogue,
	...addition: Parameters<Catalogue["addPet"]>
): Promise<AddedPet> {
	try {
		const added = await catalogue.addPet(...addition);
		if (added.outcome !== "mismatch") return added;
	} catch (error) {
		throw toAddFailure(error, addition[1]?.key);
	}
	throw new Failure(
		"idempotency_mismatch",
		"Idempotency-Key was used before to add another animal.",
	);
}

type AddedPet = Exclude<Added, { outcome: "mismatch" }>;

function toOwnHeaders(
	location: string | undefined,
	{ outcome, id }: AddedPet,
): OwnHeaders {
	const own: Record<string, string> = {};
	if (location !== undefined) own.Location = location + id;
	if (outcome === "replayed") own["Idempotency-Replayed"] = "true";
	return own;
}

function readIdempotencyKey(headers: Headers): string | undefined {
	const key = headers.get("idempotency-key");
	if (key === null) return undefined;
	// A doubled header arrives joined by a comma and a space, which no single key contains.
	if (visibleAscii.test(key)) return key;
	throw invalid(
		"Idempotency-Key",
		"must be 1 to 255 visible ASCII characters, given once",
	);
}

export function toIdempotency(
	owner: string,
	key: string,
	{ name, categoryId, status }: Only<NewPet, "name" | "categoryId" | "status">,
	at: number,
): Idempotency {
	const fingerprint = sha256(
		JSON.stringify([name, String(categoryId), status]),
		"hex",
	);
	return { owner, key, fingerprint, at };
}
