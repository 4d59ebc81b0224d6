// A change as JSON, and as a server-sent event.
import { storedPetToJson } from "../../contract/pet.ts";
import type { FeedEntry } from "../../store/feed.ts";

/** JSON.stringify takes no bigint, so the integers are written by hand. */
export function changeToJson({
	position,
	kind,
	petId,
	pet,
}: FeedEntry): string {
	const content = pet === undefined ? "" : `,"pet":${storedPetToJson(pet)}`;
	return `{"position":${position},"kind":"${kind}","petId":${petId}${content}}`;
}

/** JSON escapes line breaks, so the data is one line. */
export function changeToEvent(entry: FeedEntry): string {
	const { position, kind } = entry;
	return `id: ${position}\nevent: ${kind}\ndata: ${changeToJson(entry)}\n\n`;
}
