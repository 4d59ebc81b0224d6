// changePet and removePet: change or remove one animal, only if it is as the `If-Match` of the request says.

import {
	type IfMatch,
	ifMatchRule,
	toIfMatch,
} from "../../contract/if-match.ts";
import { httpStatus } from "../../contract/operation.ts";
import { toPetPatch } from "../../contract/operator/pets/patch.ts";
import { refuseChange } from "../../contract/operator/pets/refusal.ts";
import { invalid } from "../../contract/parameter.ts";
import {
	type NewPet,
	noSuchPet,
	type Pet,
	toPetId,
} from "../../contract/pet.ts";
import { readJsonBody } from "../../http/body.ts";
import type { Call, Route } from "../../http/surface.ts";
import { maxBodyBytes } from "../../limits.ts";
import { toPetReply } from "../../pets/get-pet.ts";
import type { Catalogue } from "../../store/catalogue.ts";
import { changeIfMatched } from "./change-if-matched.ts";

export function changePet(catalogue: Catalogue): Route["handle"] {
	return async (call) => {
		const target = readTarget(call);
		const body = await readJsonBody(call.request, maxBodyBytes, mediaTypes);
		const set = toPetPatch(body);
		const pet = await change(catalogue, target, set);
		if (pet === undefined) throw noSuchPet();
		return toPetReply(pet, call.headers).reply;
	};
}

export function removePet(catalogue: Catalogue): Route["handle"] {
	return async (call) => {
		await change(catalogue, readTarget(call), undefined);
		return { status: httpStatus.noContent, headers: call.headers };
	};
}

const mediaTypes = "application/merge-patch+json or application/json";

interface Target {
	readonly petId: bigint;
	readonly ifMatch: IfMatch | undefined;
}

function readTarget({ segment, request }: Call): Target {
	const petId = toPetId(segment);
	if (petId === undefined) throw noSuchPet();
	return { petId, ifMatch: readIfMatch(request.headers) };
}

function readIfMatch(headers: Headers): IfMatch | undefined {
	const text = headers.get("if-match");
	if (text === null) return undefined;
	const ifMatch = toIfMatch(text);
	if (ifMatch === undefined) throw invalid("If-Match", ifMatchRule);
	return ifMatch;
}

/** The animal after the change; undefined if it was removed. */
async function change(
	catalogue: Catalogue,
	target: Target,
	set: Partial<NewPet> | undefined,
): Promise<Pet | undefined> {
	const kind = set === undefined ? "removal" : "change";
	const changed = await changeIfMatched(catalogue, [{ ...target, set }], kind);
	if (changed.outcome === "changed") return changed.pets[0];
	throw refuseChange(changed.outcome);
}
