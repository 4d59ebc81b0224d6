// What was done to animals, when and by whom, as the operator interface has it.
import type { Api } from "./api.ts";
import { hasCode } from "./error.ts";
import { toPet, toQuery } from "./pets.ts";
import { int64, list, number, object, optional, text, time } from "./values.ts";

const toEntry = object({
	petId: int64,
	/** Undefined for an add whose time is not known. */
	at: optional(time),
	by: optional(
		object({
			kind: text,
			keyId: optional(number),
			importId: optional(text),
			name: optional(text),
		}),
	),
	kind: text,
	/** Undefined if it was removed, or if this content is not known any more. */
	pet: optional(toPet),
	/** Undefined if it was added. */
	before: optional(toPet),
});

export type Entry = ReturnType<typeof toEntry>;

const toHistory = object({
	entries: list(toEntry),
	/** Where the next page begins; undefined at the end. */
	next: optional(int64),
});

/** The newest entries of one animal. None if it never existed. */
export async function readHistory(
	{ read }: Pick<Api, "read">,
	id: string,
	ending: AbortSignal,
): Promise<readonly Entry[]> {
	try {
		return toHistory(await read(`/pets/${id}/history`, ending)).entries;
	} catch (error) {
		if (hasCode(error, "not_found")) return [];
		throw error;
	}
}

/** A page of the entries of one animal, or of all if `pet` is empty. */
export async function listHistory(
	{ read }: Pick<Api, "read">,
	{ pet, by, after }: { pet: string; by: string; after: string },
	ending?: AbortSignal,
) {
	const path = pet === "" ? "/history" : `/pets/${pet}/history`;
	const query = toQuery({ by: pet === "" ? by : "", after, limit: "50" });
	return toHistory(await read(`${path}?${query}`, ending));
}
