// changePet and removePet: change or remove one animal, only if it is as the `If-Match` of the request says.

import { ifMatchRule, toIfMatch } from "../../contract/if-match.ts";
import { httpStatus } from "../../contract/operation.ts";
import {
	refuseChange,
	toPetPatch,
} from "../../contract/operator/pets/changes.ts";
import { invalid } from "../../contract/parameter.ts";
import { noSuchPet, storedPetToJson, toPetId } from "../../contract/pet.ts";
import { toChangeFailure } from "../../contract/retry.ts";
import { toCondition, type VersionCondition } from "../../contract/version.ts";
import { readJsonBody } from "../../http/body.ts";
import type { Call, Route } from "../../http/surface.ts";
import { maxBodyBytes } from "../../limits.ts";
import { toPetReply } from "../../pets/get-pet.ts";
import type { Catalogue, FoundPet, PetChange } from "../../store/catalogue.ts";

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
	return { petId, condition: readCondition(request.headers) };
}

function readCondition(headers: Headers): VersionCondition {
	const text = headers.get("if-match");
	if (text === null) return undefined;
	const ifMatch = toIfMatch(text);
	if (ifMatch === undefined) throw invalid("If-Match", ifMatchRule);
	return toCondition(ifMatch);
}

/** The animal after the change; undefined if it was removed. */
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
