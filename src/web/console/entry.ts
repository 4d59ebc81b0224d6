// The history as the service has it: edits, and the entries of single animals.
import type { EditJson } from "../../operator/edits.ts";
import type { HistoryJson } from "../../operator/history.ts";
import { get, unlessMissing } from "../ui/api.ts";
import { isolate } from "../ui/format.tsx";
import type { Pet } from "./pet.tsx";

export type Edit = EditJson;
export type Author = Edit["by"];
export type Entries = HistoryJson;
export type Entry = Entries["entries"][number];

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
