// Pages of a list: how many entries, and the cursor of the next page, an opaque text.
import { Failure } from "../errors.ts";
import { maxInt64 } from "../types/json.ts";
import { formed, int64, whole } from "../types/scalar.ts";
import {
	optional,
	type Type,
	withDefault,
	withExample,
} from "../types/type.ts";
import { filterToText, type PetFilter } from "./filter.ts";
import { toPetId } from "./pet-id.ts";

export const maxPageSize = 100;

/** The query parameter `limit` of a list of animals, for example. */
export function limitOf(
	entries: string,
	maximum = maxPageSize,
	fallback = 20,
): Type<number> {
	const limit = whole(`Maximum number of ${entries} returned.`, 1, maximum);
	return withExample(withDefault(limit, fallback), fallback);
}

/** The query parameters of a list in the order of ids. */
export function pageOf(entries: string, maximum = maxPageSize, minimum = 1n) {
	const description = "Where to continue: the `next` of an earlier reply.";
	return {
		limit: limitOf(entries, maximum),
		cursor: optional(int64(description, minimum)),
	};
}

/** The member `next` of its reply. */
export const next = optional(
	int64("The `cursor` of the next page; absent on the last one."),
);

/** The query parameter `cursor` of a list of animals. */
export function cursorOf(description: string): Type<string | undefined> {
	const form = /^[A-Za-z0-9_-]+$/;
	return optional(formed(description, form, rule, { pattern: form.source }));
}

const rule = "must be taken from a reply to a request with the same filter";

/** Where the page after the animal `lastId` starts; the first one without it. The newest animals come first. */
export function toMaxId(lastId?: bigint): bigint {
	return lastId === undefined ? maxInt64 : lastId - 1n;
}

/** Where the page with this cursor starts. A cursor is valid only with the filter of its page. */
export function readStart(
	cursor: string | undefined,
	filter: PetFilter,
	resets?: string,
): bigint {
	if (cursor === undefined) return toMaxId();
	const [digits = ""] = Buffer.from(cursor, "base64url").toString().split(".");
	const lastId = toPetId(digits);
	if (lastId !== undefined && toCursor(lastId, filter, resets) === cursor)
		return toMaxId(lastId);
	throw new Failure("invalid_parameter", `cursor ${rule}.`);
}

/** The cursor of the page after animal `lastId`. Has only a checksum of the filter: a name may be long. A reset of a sandbox ends it. */
export function toCursor(
	lastId: bigint,
	filter: PetFilter,
	resets = "",
): string {
	const checksum = Bun.hash.crc32(`${lastId}.${filterToText(filter)}${resets}`);
	const text = `${lastId}.${filter.status ?? ""}.${checksum}`;
	return Buffer.from(text).toString("base64url");
}
