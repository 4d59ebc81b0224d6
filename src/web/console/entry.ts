// The entries of the history, as the service has them.
import { get, toQuery, unlessMissing } from "../ui/api.ts";
import type { Pet } from "./pet.tsx";

export interface Entry {
	readonly petId: bigint;
	readonly kind: string;
	/** Absent for an add whose time is not known. */
	readonly at?: string;
	readonly by?: Author;
	/** Absent after a removal, or if the content is no longer kept. */
	readonly pet?: Pet;
	/** Absent for an add. */
	readonly before?: Pet;
}

export interface Author {
	readonly kind: string;
	readonly keyId?: bigint;
	readonly importId?: string;
	readonly name?: string;
}

export interface Page {
	readonly entries: readonly Entry[];
	/** Where the next page begins. */
	readonly next?: bigint | string;
}

/** A page of the entries of one animal, or of all if `pet` is empty. An animal that never existed has none. */
export async function readHistory(
	{ pet = "", by = "", cursor = "" },
	ending?: AbortSignal,
): Promise<Page> {
	const path = pet === "" ? "/history" : `/pets/${pet}/history`;
	const query = toQuery({ by: pet === "" ? by : "", cursor, limit: 50 });
	const page = await get<Page>(`${path}?${query}`, ending).catch(unlessMissing);
	return page ?? { entries: [] };
}

/** An animal as it is now, with its newest entries; without `pet` if it was removed or never existed. */
export async function readPet(id: string, ending?: AbortSignal) {
	const { entries } = await readHistory({ pet: id }, ending);
	const [{ kind, pet } = {}] = entries;
	if (kind === "removed" || pet) return { entries, pet };
	const read = get<Pet>(`/pets/${id}`, ending);
	return { entries, pet: await read.catch(unlessMissing) };
}

export function toAuthor({ kind, keyId, importId, name }: Author): string {
	if (name !== undefined) return name;
	if (keyId !== undefined) return `key ${keyId}`;
	return importId === undefined ? kind : `import ${importId}`;
}
