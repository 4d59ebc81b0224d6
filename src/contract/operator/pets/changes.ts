// The body of changePets: changes and removals of animals, in their order. An error names the index of the entry and the rule that it breaks.
import { maxInt64 } from "../../json.ts";
import {
	type ClosedSchema,
	type Members,
	namesIn,
	toMembers,
} from "../../members.ts";
import { isShortName, maxNameBytes, type NewPet } from "../../pet.ts";
import { toVersionCondition, type VersionCondition } from "../../version.ts";
import { toPetPatch } from "./patch.ts";
import { maxChanges, petSchemas } from "./schemas.ts";

export interface AskedChange {
	readonly petId: bigint;
	/** The members to replace; undefined removes the animal. */
	readonly set: Partial<NewPet> | undefined;
	/** Which version the animal must have; undefined if that does not matter. */
	readonly condition: VersionCondition;
}

/**
 * Takes what `parseJson` returns. Throws `invalid_body` for the first entry that breaks a rule. Unknown members of an entry are refused: a
 * misspelt `version` must not overwrite what was changed meanwhile. Those of `set` are dropped, as those of a NewPet are.
 */
export function toPetChanges(value: unknown): readonly AskedChange[] {
	const { get, invalid } = read(value, "", petSchemas.PetChanges);
	const changes = get("changes");
	if (
		!Array.isArray(changes) ||
		changes.length < 1 ||
		changes.length > maxChanges
	)
		throw invalid("changes", `must be an array of 1 to ${maxChanges} entries`);
	return changes.map((entry: unknown, index) =>
		toChange(entry, toEntryPath(index)),
	);
}

/** Where an entry stands in the body. */
export function toEntryPath(index: number): string {
	return `changes[${index}]`;
}

function toChange(entry: unknown, path: string): AskedChange {
	const members = read(
		entry,
		path,
		petSchemas.PetUpdate,
		petSchemas.PetRemoval,
	);
	const { has, get, invalid } = members;
	const petId = get("petId");
	if (typeof petId !== "bigint" || petId < 1n)
		throw invalid("petId", `must be a whole number from 1 to ${maxInt64}`);
	if (has("set") === has("remove"))
		throw invalid(undefined, "must have either set or remove");
	if (has("remove") && get("remove") !== true)
		throw invalid("remove", "must be true");
	const set = has("set") ? toPetPatch(get("set"), `${path}.set`) : undefined;
	if (set?.name !== undefined && !isShortName(set.name))
		throw invalid(
			"set.name",
			`must not be longer than ${maxNameBytes} bytes in JSON`,
		);
	return { petId, set, condition: readVersion(members) };
}

function readVersion({ has, get, invalid }: Members): VersionCondition {
	if (!has("version")) return undefined;
	const version = get("version");
	if (typeof version !== "bigint" || version < 1n)
		throw invalid("version", `must be a whole number from 1 to ${maxInt64}`);
	return toVersionCondition(version);
}

function read(
	value: unknown,
	prefix: string,
	...schemas: readonly ClosedSchema[]
): Members {
	return toMembers(value, namesIn(...schemas), {
		code: "invalid_body",
		prefix,
	});
}
