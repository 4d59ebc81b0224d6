// Change and remove animals: one, single ones of a list, or all that match.
import { type ErrorCode, Failure, restate } from "../domain/errors.ts";
import { filters, type PetFilter } from "../domain/pet/filter.ts";
import { noSuchPet, type PetPatch } from "../domain/pet/pet.ts";
import { petPatchType, storedPetType } from "../domain/pet/pet-types.ts";
import { toCountText } from "../domain/quantity.ts";
import { choice, closedObject, list, object } from "../domain/types/object.ts";
import { int64, onlyTrue, whole } from "../domain/types/scalar.ts";
import { optional, withDescription } from "../domain/types/type.ts";
import { toVersionCondition } from "../domain/version.ts";
import { Answer, requireFound } from "../interface/operation.ts";
import {
	type ChangeRefused,
	type MadeChanges,
	maxChangedAnimals,
	type PetChange,
} from "../store/animals/change.ts";
import {
	type OperatorCall,
	type OperatorService,
	operation,
	toAuthored,
	toEditHeader,
	writeLong,
} from "./operation.ts";
import { missing, params, toAnswer, withAuthors } from "./pet.ts";

/** 1,000 changes with names of a thousand bytes: 250 characters, all outside the Basic Multilingual Plane. */
const maxBatchBodyBytes = 1024 * 1024;

/** Of every change of one animal. */
export const changeErrors: readonly ErrorCode[] = [
	"invalid_parameter",
	"precondition_failed",
	"ids_exhausted",
];

export const changePet = operation({
	method: "PATCH",
	path: "/pets/{petId}",
	summary: "Change an animal",
	description:
		"A JSON merge patch. With `If-Match` it cannot overwrite a change by somebody else.",
	params,
	missing,
	body: petPatchType,
	mediaType: "application/merge-patch+json",
	honoursIfMatch: true,
	reply: storedPetType,
	headers: ["ETag", "Edit-Id"],
	errors: changeErrors,
	example: { status: "sold" },
	command: { help: "What is not given stays as it is." },
	async handle({ petId, condition, ...set }, service, call) {
		const changes = [{ petId, condition, set }];
		const made = await makeChanges(service, call, changes);
		return toAnswer(service.store, made.pets[0], made.edit);
	},
});

export const removePet = operation({
	method: "DELETE",
	path: "/pets/{petId}",
	summary: "Remove an animal",
	description: "Its id is never used again.",
	params,
	missing,
	honoursIfMatch: true,
	headers: ["Edit-Id"],
	errors: changeErrors,
	command: { saysChanges: true },
	async question({ petId }, { store }) {
		const pet = requireFound(await store.catalogue.getPet(petId), missing);
		return `Remove animal ${petId} “${pet.name}”?`;
	},
	async handle({ petId, condition }, service, call) {
		const changes = [{ petId, condition, set: undefined }];
		const { edit } = await makeChanges(service, call, changes);
		return new Answer(undefined, toEditHeader(edit));
	},
});

const maxChanges = 1_000;

const set = withDescription(petPatchType, "What to change.");
const remove = onlyTrue("Removes the animal, or all that match.");

const changed = {
	petId: int64("The id of the animal.", 1n),
	version: optional(
		int64("The `version` that it must have, else nothing is done.", 1n),
	),
};

const SingleChange = choice(
	"PetChange",
	"A change or a removal of one animal.",
	{
		set: closedObject("PetUpdate", "", { ...changed, set }),
		remove: closedObject("PetRemoval", "", { ...changed, remove }),
	},
);

const found = {
	filter: closedObject("", "As in `findPets`; `{}` means all.", filters),
	expected: whole("How many animals match, else nothing is done."),
};

export const changePets = operation({
	method: "POST",
	path: "/pets/batch",
	summary: "Change and remove many animals",
	description: `In one transaction: all of it is done, in this order, or nothing. With \`changes\`, an error has the index of the first entry that breaks a rule or cannot be done. With \`filter\`, all animals that it finds are changed or removed, up to ${toCountText(maxChangedAnimals)}, if their number is \`expected\`. The body may have up to 1 MiB.`,
	body: choice("PetBatch", "Changes, or one change of all that match.", {
		changes: closedObject("PetChanges", "", {
			changes: list(SingleChange, maxChanges, 1),
		}),
		set: closedObject("ChangeOfAll", "", { ...found, set }),
		remove: closedObject("RemovalOfAll", "", { ...found, remove }),
	}),
	maxBodyBytes: maxBatchBodyBytes,
	reply: object("ChangedPets", "How many animals were changed, as the edit.", {
		changed: whole(
			"Animals that were changed. One that was so already is not.",
		),
		removed: whole("Animals that were removed."),
		versions: optional(
			withDescription(
				list(int64(""), maxChanges),
				"For each entry of `changes` the version of its animal after the batch; 0 if it was removed.",
			),
		),
	}),
	headers: ["Edit-Id"],
	errors: ["not_found", "conflict", "precondition_failed", "ids_exhausted"],
	example: {
		changes: [
			{ petId: 1, set: { status: "sold" } },
			{ petId: 2, remove: true },
		],
	},
	command: false,
	async handle(batch, service, call) {
		if (!("changes" in batch)) return changeAll(batch, service, call);
		const { changes: asked } = batch;
		const changes = asked.map((one) => ({
			petId: one.petId,
			set: "set" in one ? one.set : undefined,
			condition:
				one.version === undefined ? undefined : toVersionCondition(one.version),
		}));
		const made = await makeChanges(service, call, changes, refuseEntry);
		const versions = made.pets.map((pet) => pet?.version ?? 0n);
		return new Answer({ ...made.totals, versions }, toEditHeader(made.edit));
	},
});

interface BatchOfAll {
	readonly filter: PetFilter;
	readonly expected: number;
	readonly set?: PetPatch;
}

async function changeAll(
	{ filter, expected, set }: BatchOfAll,
	{ store }: OperatorService,
	call: OperatorCall,
) {
	const authored = toAuthored(call.identity);
	const { totals, edit } = await writeLong(
		call,
		(signal) =>
			store.catalogue.changeAll({ filter, expected, set }, authored, signal),
		"a narrower filter",
	).catch(throwChangeFailure);
	return new Answer({ ...totals, versions: undefined }, toEditHeader(edit));
}

/** Throws if one change cannot be made; then none was. `toFailure` says of which. */
export async function makeChanges(
	{ store }: OperatorService,
	{ identity }: OperatorCall,
	changes: readonly PetChange[],
	toFailure = refuseChange,
): Promise<MadeChanges> {
	const made = await store.catalogue
		.changePets(changes, toAuthored(identity))
		.catch(throwChangeFailure);
	if (made.outcome === "changed") return made;
	if (made.outcome === "missing") throw toFailure(made);
	const [pet = made.pet] = await withAuthors(store, [made.pet]);
	throw toFailure({ ...made, pet });
}

export function refuseChange(refused: ChangeRefused): Failure {
	return refused.outcome === "missing"
		? noSuchPet()
		: new Failure(
				"precondition_failed",
				"The animal has changed: it has another version. Nothing was done.",
				{ members: { pet: storedPetType.write(refused.pet) } },
			);
}

/** Of a batch. */
function refuseEntry(refused: ChangeRefused): Failure {
	const { index } = refused;
	const { code, message, members } = refuseChange(refused);
	return new Failure(code, `changes[${index}]: ${message}`, {
		members: { index: `${index}`, ...members },
	});
}

/** A change is idempotent, and may always be repeated. */
export function throwChangeFailure(error: unknown): never {
	throw restate(
		error,
		"The store cannot answer now. This request changed nothing; try again.",
		"It is not known whether this was done: all of it was, or nothing. Repeat the request. If it was done, a removed animal is then not found, an edit is undone already, and an animal has another version.",
	);
}
