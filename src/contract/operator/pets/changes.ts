// The body of changePets: changes and removals of animals, in their order. An error names the index of the entry and the rule that it breaks.
import { Failure } from "../../errors.ts";
import { type IfMatch, ifMatchRule, toIfMatch } from "../../if-match.ts";
import { maxInt64 } from "../../json.ts";
import { isObject, isShortName, maxNameBytes, type NewPet } from "../../pet.ts";
import { toPetPatch } from "./patch.ts";

/** Entries of one body at most. */
export const maxChanges = 1_000;

export interface AskedChange {
	readonly petId: bigint;
	/** The members to replace; undefined removes the animal. */
	readonly set: Partial<NewPet> | undefined;
	/** What the ETag of the animal must be; undefined if that does not matter. */
	readonly ifMatch: IfMatch | undefined;
}

/** Takes what `parseJson` returns. Throws `invalid_body` for the first entry that breaks a rule; drops unknown members. */
export function toPetChanges(value: unknown): readonly AskedChange[] {
	if (!isObject(value)) throw invalid("The body", "must be a JSON object");
	const changes = "changes" in value ? value.changes : undefined;
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
	if (!isObject(entry)) throw invalid(path, "must be a JSON object");
	const members = new Map<string, unknown>(Object.entries(entry));
	const petId = members.get("petId");
	if (typeof petId !== "bigint" || petId < 1n)
		throw invalid(
			`${path}.petId`,
			`must be a whole number from 1 to ${maxInt64}`,
		);
	if (members.has("set") === members.has("remove"))
		throw invalid(path, "must have either set or remove");
	if (members.has("remove") && members.get("remove") !== true)
		throw invalid(`${path}.remove`, "must be true");
	const set = members.has("set")
		? toPetPatch(members.get("set"), `${path}.set`)
		: undefined;
	if (set?.name !== undefined && !isShortName(set.name))
		throw invalid(
			`${path}.set.name`,
			`must not be longer than ${maxNameBytes} bytes in JSON`,
		);
	return { petId, set, ifMatch: readIfMatch(members, path) };
}

function readIfMatch(
	members: ReadonlyMap<string, unknown>,
	path: string,
): IfMatch | undefined {
	if (!members.has("ifMatch")) return undefined;
	const value = members.get("ifMatch");
	const ifMatch = typeof value === "string" ? toIfMatch(value) : undefined;
	if (ifMatch === undefined) throw invalid(`${path}.ifMatch`, ifMatchRule);
	return ifMatch;
}

function invalid(subject: string, rule: string): Failure {
	return new Failure("invalid_body", `${subject} ${rule}.`);
}
