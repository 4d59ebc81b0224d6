// The opaque text that names where a further page of a list begins.
import { crc32 } from "node:zlib";
import { invalid } from "./parameter.ts";
import { toPetId } from "./pet.ts";
import type { PetStatus } from "./v1.ts";

/** The cursor of the page after the animal `lastId`, in the list with this filter. */
export function toCursor(
	lastId: bigint,
	status: PetStatus | undefined,
): string {
	const place = `${lastId}.${status ?? ""}`;
	return Buffer.from(`${place}.${crc32(place)}`).toString("base64url");
}

/** The id that the page before ended with; refuses any text that `toCursor` does not give for this filter. */
export function fromCursor(
	cursor: string,
	status: PetStatus | undefined,
): bigint {
	const [digits = ""] = Buffer.from(cursor, "base64url").toString().split(".");
	const lastId = toPetId(digits);
	if (lastId !== undefined && toCursor(lastId, status) === cursor)
		return lastId;
	throw invalid(
		"cursor",
		"must be taken from the Link of a list with the same status",
	);
}
