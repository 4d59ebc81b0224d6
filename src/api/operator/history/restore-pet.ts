// restorePet: puts an earlier content of an animal back, as a new change.
import {
	noSuchVersion,
	Restoration,
	refuseRemoved,
} from "../../../contract/operator/history.ts";
import type { Authored } from "../../../domain/author.ts";
import { StoreFailure, storeWroteNothing } from "../../../domain/errors.ts";
import { maxInt64 } from "../../../domain/json.ts";
import {
	noSuchPet,
	type StoredPet,
	storedPetToJson,
	toContent,
	toPetId,
} from "../../../domain/pet.ts";
import { toCondition, type VersionCondition } from "../../../domain/version.ts";
import { readMembers } from "../../../http/body.ts";
import type { Route } from "../../../http/surface.ts";
import { refuseChange, toChangeFailure } from "../../../operator/pets.ts";
import { toAuthored } from "../../../operator/service.ts";
import type { FoundPet } from "../../../store/catalogue.ts";
import type { History } from "../../../store/history.ts";
import type { Store } from "../../../store/store.ts";
import { toPetReply } from "../../../v1/get.ts";

export function restorePet(
	store: Pick<Store, "catalogue" | "history">,
): Route["handle"] {
	return async (call) => {
		const petId = toPetId(call.segment);
		if (petId === undefined) throw noSuchPet();
		const ifMatch = call.request.headers.get("if-match");
		const condition = ifMatch === null ? undefined : toCondition(ifMatch);
		const members = await readMembers(call.request, Restoration);
		const version = members.get("version");
		if (typeof version !== "bigint" || version < 1n)
			throw members.invalid(
				"version",
				`must be a whole number from 1 to ${maxInt64}`,
			);
		// A removed animal meets no If-Match, not even `*`.
		const mustExist = call.request.headers.has("if-match");
		const pet = await restore(
			store,
			{ petId, version, condition, mustExist },
			toAuthored(call.identity),
		).catch((error) => {
			throw toChangeFailure(error, "change");
		});
		return toPetReply(pet, storedPetToJson);
	};
}

/** An earlier content never changes, so it is read before the transaction. */
export async function restore(
	{ catalogue, history }: Pick<Store, "catalogue" | "history">,
	asked: Asked,
	authored?: Authored,
): Promise<FoundPet> {
	const { petId, condition } = asked;
	const content = await findContent(history, asked).catch((error) => {
		throw error instanceof StoreFailure
			? storeWroteNothing(error.cause)
			: error;
	});
	const { addedAt, addedBy } = content;
	const change = {
		petId,
		condition,
		set: toContent(content),
		putBack: asked.mustExist ? undefined : { addedAt, addedBy },
	};
	const changed = await catalogue.changePets([change], authored);
	if (changed.outcome === "missing") throw refuseRemoved();
	if (changed.outcome === "differs") throw refuseChange(changed);
	const [pet] = changed.pets;
	if (pet === undefined) throw noSuchPet();
	return pet;
}

async function findContent(
	{ findVersion, readOf }: History,
	{ petId, version }: Asked,
): Promise<StoredPet> {
	const content = await findVersion(petId, version);
	if (content !== undefined) return content;
	const known = await readOf(petId, { maxPosition: maxInt64, limit: 1 });
	throw known === undefined ? noSuchPet() : noSuchVersion(version);
}

interface Asked {
	readonly petId: bigint;
	readonly version: bigint;
	readonly condition?: VersionCondition;
	/** Whether to refuse a removed animal. */
	readonly mustExist?: boolean;
}
