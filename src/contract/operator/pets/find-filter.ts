// Which animals findPets finds, and the cursor of its further pages.
import type { Filter } from "../../filter.ts";
import { sha256 } from "../../hash.ts";
import type { Only } from "../../only.ts";
import { invalid } from "../../parameter.ts";
import { type Pet, toPetId } from "../../pet.ts";

export interface FindFilter extends Filter {
	readonly categoryId: bigint | undefined;
	/** A part of the name; upper and lower case do not matter. */
	readonly name: string | undefined;
}

/** Whether an animal fits what a list of the store does not filter by; undefined if that is nothing. */
export function toPetTest({
	categoryId,
	name = "",
}: FindFilter): ((pet: Pet) => boolean) | undefined {
	if (categoryId === undefined && name === "") return undefined;
	const part = toComparable(name);
	return (pet) =>
		(categoryId === undefined || pet.categoryId === categoryId) &&
		(part === "" || toComparable(pet.name).includes(part));
}

/** In JavaScript and not in SQL, since SQLite and PostgreSQL differ in what they take for the same letter. */
function toComparable(text: string): string {
	return text.normalize("NFC").toLowerCase();
}

/** The cursor of the page that begins after the animal `lastId`. */
export function toFindCursor(lastId: bigint, filter: FindFilter): string {
	const text = `${lastId}.${toDigest(filter)}`;
	return Buffer.from(text).toString("base64url");
}

/** The id after which the page begins. Throws for any text that `toFindCursor` does not return for this filter. */
export function fromFindCursor(cursor: string, filter: FindFilter): bigint {
	const [digits = ""] = Buffer.from(cursor, "base64url").toString().split(".");
	const lastId = toPetId(digits);
	if (lastId !== undefined && toFindCursor(lastId, filter) === cursor)
		return lastId;
	throw invalid(
		"cursor",
		"must be the next of a reply to the same status, categoryId and name",
	);
}

function toDigest({
	status,
	categoryId,
	name,
}: Only<FindFilter, "status" | "categoryId" | "name">): string {
	const text = JSON.stringify([status, String(categoryId), name]);
	return sha256(text, "base64url").slice(0, 8);
}
