// The history of animals: what was done, when and by whom.
import type { Api } from "./api.ts";
import { hasCode } from "./error.ts";
import { type Pets, toPet, toQuery } from "./pets.ts";
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
	/** Undefined after a removal, or if the content is no longer kept. */
	pet: optional(toPet),
	/** Undefined for an add. */
	before: optional(toPet),
});

export type Entry = ReturnType<typeof toEntry>;

const toHistory = object({
	entries: list(toEntry),
	/** Where the next page begins; undefined at the end. */
	next: optional(String),
});

/** A page of the entries of one animal, or of all if `pet` is empty. An animal that never existed has none. */
export async function listHistory(
	{ read }: Pick<Api, "read">,
	{ pet, by, cursor }: { pet: string; by?: string; cursor?: string },
	ending?: AbortSignal,
) {
	const path = pet === "" ? `/history` : `/pets/${pet}/history`;
	const author = pet === "" ? { by } : {};
	const query = toQuery({ ...author, cursor, limit: "50" });
	try {
		return toHistory(await read(`${path}?${query}`, ending));
	} catch (error) {
		if (hasCode(error, "not_found")) return { entries: [], next: undefined };
		throw error;
	}
}

/** An animal as it is now, with its newest entries; without `pet` if it was removed or never existed. */
export async function readPet(
	api: Pick<Api, "read">,
	pets: Pick<Pets, "get">,
	id: string,
	ending?: AbortSignal,
) {
	const { entries } = await listHistory(api, { pet: id }, ending);
	const [{ kind, pet } = {}] = entries;
	if (kind === "removed") return { entries };
	return { entries, pet: pet ?? (await pets.get(id, ending)) };
}
