// The opaque text that says where a further page of a list begins.
import { type Filter, filterToText } from "./filter.ts";
import { crc32 } from "./hash.ts";
import { invalid } from "./parameter.ts";
import { toPetId } from "./pet.ts";

/** The cursor of the page that begins after the animal `lastId`. */
export function toCursor(lastId: bigint, filter: Filter): string {
	const text = `${lastId}.${filterToText(filter)}`;
	return Buffer.from(`${text}.${crc32(text)}`).toString("base64url");
}

/** The id of the last animal on the previous page. Throws for any text that `toCursor` does not return for this filter. */
export function fromCursor(cursor: string, filter: Filter): bigint {
	const [digits = ""] = Buffer.from(cursor, "base64url").toString().split(".");
	const lastId = toPetId(digits);
	if (lastId !== undefined && toCursor(lastId, filter) === cursor)
		return lastId;
	throw invalid(
		"cursor",
		"must be taken from the Link of a list with the same status",
	);
}
