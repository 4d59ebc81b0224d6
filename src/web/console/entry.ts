// The history as the service has it: edits, and the entries of single animals.
import { get, unlessMissing } from "../ui/api.ts";
import { isolate } from "../ui/format.tsx";
import type { Pet } from "./pet.tsx";

export interface Entry {
	readonly petId: bigint;
	readonly kind: string;
	/** Absent for an add whose time is not known. */
	readonly at?: string;
	readonly by?: Author;
	/** The edit that it is a part of. Absent for an add. */
	readonly edit?: bigint;
	/** Absent after a removal, or if the content is no longer kept. */
	readonly pet?: Pet;
	/** Absent for an add. */
	readonly before?: Pet;
}

export interface Author {
	readonly kind: string;
	readonly keyId?: bigint;
	readonly name?: string;
}

/** Everything that one request, command or import changed. */
export interface Edit {
	readonly id: bigint;
	readonly at: string;
	readonly by: Author;
	readonly kind: "changed" | "removed" | "imported" | "restored" | "undone";
	readonly added: bigint;
	readonly changed: bigint;
	readonly removed: bigint;
	/** Of the animals that an import added, which have no entries. */
	readonly addedIds?: { readonly from: bigint; readonly to: bigint };
	/** The edit that undid it. */
	readonly undoneBy?: bigint;
}

export interface Entries {
	readonly entries: readonly Entry[];
	/** Where the next page begins. */
	readonly next?: bigint;
}

/** All animals of an edit. */
export function toTotal({ added, changed, removed }: Edit): number {
	return Number(added + changed + removed);
}

/** An animal as it is now, with its newest entries; without `pet` if it was removed or never existed. */
export async function readPet(id: string, ending?: AbortSignal) {
	const path = `/pets/${id}/history?limit=50`;
	const found = await get<Entries>(path, ending).catch(unlessMissing);
	const { entries = [] } = found ?? {};
	if (entries[0]?.kind === "removed") return { entries, pet: undefined };
	const pet = await get<Pet>(`/pets/${id}`, ending).catch(unlessMissing);
	return { entries, pet };
}

/** In a sentence. `capitalise` leaves a name as it is, since a character that isolates it comes first. */
export function toAuthor({ kind, keyId, name }: Partial<Author> = {}): string {
	if (name !== undefined) return isolate(name);
	if (keyId !== undefined) return `key ${keyId}`;
	return kind === "command line" ? `the ${kind}` : "somebody";
}
