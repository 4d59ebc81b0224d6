// Reads changes: the body of changePet, a JSON merge patch (RFC 7396), and of changePets, a list of changes and removals. And their
// refusals, which change nothing.
import { Failure } from "../../../domain/errors.ts";
import { maxInt64 } from "../../../domain/json.ts";
import { type Members, namesIn, toMembers } from "../../../domain/members.ts";
import {
	noSuchPet,
	type PetPatch,
	type StoredPet,
	storedPetToJson,
} from "../../../domain/pet.ts";
import { petPatchType } from "../../../domain/pet-types.ts";
import { toCountText } from "../../../domain/quantity.ts";
import {
	toVersionCondition,
	type VersionCondition,
} from "../../../domain/version.ts";
import { maxChanges, petSchemas } from "./schemas.ts";

/** Reads the patch at `path` of a parsed body. Throws `invalid_body` with every broken rule; drops unknown members. */
export function toPetPatch(value: unknown, path = ""): PetPatch {
	const broken: string[] = [];
	const patch = petPatchType.read(value, path, broken);
	if (broken.length > 0) throw new Failure("invalid_body", broken.join(" "));
	return patch;
}

export interface AskedChange {
	readonly petId: bigint;
	/** The members to replace; undefined removes the animal. */
	readonly set: PetPatch | undefined;
	/** The version that the animal must have; undefined for any. */
	readonly condition: VersionCondition;
}

/**
 * Reads a body that `parseJson` returns. Throws `invalid_body` for the first wrong entry. Refuses unknown members of an entry: a misspelt
 * `version` must not overwrite somebody else's change. Drops unknown members of `set`, as of a NewPet.
 */
export function toPetChanges(value: unknown): readonly AskedChange[] {
	const { get, invalid } = toMembers(value, namesIn(petSchemas.PetChanges));
	const changes = get("changes");
	const count = Array.isArray(changes) ? changes.length : 0;
	if (!Array.isArray(changes) || count < 1 || count > maxChanges)
		throw invalid(
			"changes",
			`must be an array of 1 to ${toCountText(maxChanges)} entries`,
		);
	return changes.map((entry: unknown, index) => {
		try {
			return toChange(entry, toEntryPath(index));
		} catch (error) {
			throw error instanceof Failure ? withIndex(error, index) : error;
		}
	});
}

function withIndex({ code, message }: Failure, index: number): Failure {
	return new Failure(code, message, { members: { index: `${index}` } });
}

function toEntryPath(index: number): string {
	return `changes[${index}]`;
}

function toChange(entry: unknown, path: string): AskedChange {
	const { PetUpdate, PetRemoval } = petSchemas;
	const members = toMembers(entry, namesIn(PetUpdate, PetRemoval), path);
	const { has, get, invalid } = members;
	const petId = readPositive(members, "petId");
	if (has("set") === has("remove"))
		throw invalid(undefined, "must have either set or remove");
	if (has("remove") && get("remove") !== true)
		throw invalid("remove", "must be true");
	const set = has("set") ? toPetPatch(get("set"), `${path}.set`) : undefined;
	const condition = has("version")
		? toVersionCondition(readPositive(members, "version"))
		: undefined;
	return { petId, set, condition };
}

export function readPositive({ get, invalid }: Members, name: string): bigint {
	const value = get(name);
	if (typeof value === "bigint" && value > 0n) return value;
	throw invalid(name, `must be a whole number from 1 to ${maxInt64}`);
}

type Reason =
	| { readonly outcome: "missing" }
	| { readonly outcome: "differs"; readonly pet: StoredPet };

export function refuseChange(reason: Reason): Failure {
	return reason.outcome === "missing"
		? noSuchPet()
		: new Failure(
				"precondition_failed",
				"The animal has changed: If-Match does not name its ETag. Nothing was done.",
				{ members: { pet: storedPetToJson(reason.pet) } },
			);
}

export function refuseEntry(
	reason: Reason & { readonly index: number },
	petId: bigint | undefined,
): Failure {
	const path = toEntryPath(reason.index);
	const index = `${reason.index}`;
	return reason.outcome === "missing"
		? new Failure(
				"not_found",
				`No animal has the id ${petId} (petId of ${path}). Nothing was done.`,
				{ members: { index } },
			)
		: new Failure(
				"precondition_failed",
				`The animal of ${path} has changed: it has another version. Nothing was done.`,
				{ members: { index, pet: storedPetToJson(reason.pet) } },
			);
}
