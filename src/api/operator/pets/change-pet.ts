// changePet, removePet and changePets: change or remove one animal, only if it is as the `If-Match` of the request says; or many, in one
// transaction.
import { httpStatus } from "../../../contract/operation.ts";
import {
	refuseChange,
	refuseEntry,
	toPetChanges,
	toPetPatch,
} from "../../../contract/operator/pets/changes.ts";
import { toChangeFailure } from "../../../contract/retry.ts";
import { toCondition } from "../../../contract/version.ts";
import { noSuchPet, storedPetToJson, toPetId } from "../../../domain/pet.ts";
import { readJsonBody } from "../../../http/body.ts";
import type { Call, Route } from "../../../http/surface.ts";
import { maxBatchBodyBytes, maxBodyBytes } from "../../../limits.ts";
import type {
	Catalogue,
	FoundPet,
	PetChange,
} from "../../../store/catalogue.ts";
import { toPetReply } from "../../pets/get-pet.ts";

export function changePet(catalogue: Catalogue): Route["handle"] {
	return async (call) => {
		const target = readTarget(call);
		const body = await readJsonBody(call.request, maxBodyBytes, mediaTypes);
		const pet = await change(catalogue, { ...target, set: toPetPatch(body) });
		if (pet === undefined) throw noSuchPet();
		return toPetReply(pet, call.headers, storedPetToJson);
	};
}

export function removePet(catalogue: Catalogue): Route["handle"] {
	return async (call) => {
		await change(catalogue, { ...readTarget(call), set: undefined });
		return { status: httpStatus.noContent, headers: call.headers };
	};
}

const mediaTypes = "application/merge-patch+json or application/json";

function readTarget({ segment, request }: Call): Omit<PetChange, "set"> {
	const petId = toPetId(segment);
	if (petId === undefined) throw noSuchPet();
	const ifMatch = request.headers.get("if-match");
	const condition = ifMatch === null ? undefined : toCondition(ifMatch);
	return { petId, condition };
}

async function change(
	catalogue: Catalogue,
	asked: PetChange,
): Promise<FoundPet | undefined> {
	const kind = asked.set === undefined ? "removal" : "change";
	const changed = await catalogue.changePets([asked]).catch((error) => {
		throw toChangeFailure(error, kind);
	});
	if (changed.outcome === "changed") return changed.pets[0];
	throw refuseChange(changed);
}

export function changePets(catalogue: Catalogue): Route["handle"] {
	return async ({ request, headers }) => {
		const asked = toPetChanges(await readJsonBody(request, maxBatchBodyBytes));
		const done = await catalogue.changePets(asked).catch((error) => {
			throw toChangeFailure(error, "batch");
		});
		if (done.outcome !== "changed")
			throw refuseEntry(done, asked[done.index]?.petId);
		const versions = done.pets.map((pet) => pet?.version ?? 0n);
		const removed = asked.filter(({ set }) => set === undefined).length;
		return {
			status: httpStatus.ok,
			headers,
			body: `{"changed":${asked.length - removed},"removed":${removed},"versions":[${versions.join(",")}]}`,
		};
	};
}
