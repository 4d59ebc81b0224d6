// changePet, removePet and changePets: change or remove one animal, if it meets `If-Match`; or many, in one transaction.
import {
	refuseChange,
	refuseEntry,
	toPetChanges,
	toPetPatch,
} from "../../../contract/operator/pets/changes.ts";
import { toChangeFailure } from "../../../contract/retry.ts";
import type { Authored } from "../../../domain/author.ts";
import {
	noSuchPet,
	storedPetToJson,
	toNewPet,
	toPetId,
} from "../../../domain/pet.ts";
import { toCondition } from "../../../domain/version.ts";
import { readJsonBody } from "../../../http/body.ts";
import type { Call, Route } from "../../../http/surface.ts";
import { maxBatchBodyBytes, maxBodyBytes } from "../../../limits.ts";
import { toAuthored } from "../../../operator/service.ts";
import type {
	Catalogue,
	FoundPet,
	PetChange,
} from "../../../store/catalogue.ts";
import {
	addOnce,
	readIdempotencyKey,
	toAddedHeaders,
} from "../../../v1/add.ts";
import { findPet, toPetReply, toReadReply } from "../../../v1/get.ts";

export function addPet(catalogue: Catalogue): Route["handle"] {
	return async ({ request, identity }) => {
		const key = readIdempotencyKey(request.headers);
		const pet = toNewPet(await readJsonBody(request));
		const added = await addOnce(catalogue, pet, identity, key);
		const { id, at, by } = added;
		const { name, categoryId, status } = pet;
		const body = storedPetToJson({
			id,
			name,
			categoryId,
			status,
			version: id,
			addedAt: BigInt(at),
			addedBy: by === null ? null : BigInt(by),
		});
		return { own: toAddedHeaders("/operator/v1", added), body };
	};
}

export function readPet(catalogue: Catalogue): Route["handle"] {
	return async (call) =>
		toReadReply(await findPet(call, catalogue), storedPetToJson, call);
}

export function changePet(catalogue: Catalogue): Route["handle"] {
	return async (call) => {
		const target = readTarget(call);
		const body = await readJsonBody(call.request, maxBodyBytes, mediaTypes);
		const asked = { ...target, set: toPetPatch(body) };
		const pet = await change(catalogue, asked, toAuthored(call.identity));
		if (pet === undefined) throw noSuchPet();
		return toPetReply(pet, storedPetToJson);
	};
}

export function removePet(catalogue: Catalogue): Route["handle"] {
	return async (call) => {
		const asked = { ...readTarget(call), set: undefined };
		await change(catalogue, asked, toAuthored(call.identity));
		return {};
	};
}

const mediaTypes = "application/merge-patch+json or application/json";

export function readTarget({ segment, request }: Call): Omit<PetChange, "set"> {
	const petId = toPetId(segment);
	if (petId === undefined) throw noSuchPet();
	const ifMatch = request.headers.get("if-match");
	const condition = ifMatch === null ? undefined : toCondition(ifMatch);
	return { petId, condition };
}

async function change(
	catalogue: Catalogue,
	asked: PetChange,
	authored: Authored,
): Promise<FoundPet | undefined> {
	const kind = asked.set === undefined ? "removal" : "change";
	const changed = await catalogue
		.changePets([asked], authored)
		.catch((error) => {
			throw toChangeFailure(error, kind);
		});
	if (changed.outcome === "changed") return changed.pets[0];
	throw refuseChange(changed);
}

export function changePets(catalogue: Catalogue): Route["handle"] {
	return async ({ request, identity }) => {
		const asked = toPetChanges(await readJsonBody(request, maxBatchBodyBytes));
		const done = await catalogue
			.changePets(asked, toAuthored(identity))
			.catch((error) => {
				throw toChangeFailure(error, "batch");
			});
		if (done.outcome !== "changed")
			throw refuseEntry(done, asked[done.index]?.petId);
		const versions = done.pets.map((pet) => pet?.version ?? 0n);
		const removed = asked.filter(({ set }) => set === undefined).length;
		return {
			body: `{"changed":${asked.length - removed},"removed":${removed},"versions":[${versions.join(",")}]}`,
		};
	};
}
