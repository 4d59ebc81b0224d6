// The cursor of a page of animals: an opaque text, and its query parameter.
import { crc32 } from "../domain/hash.ts";
import { maxInt64 } from "../domain/json.ts";
import { toPetId } from "../domain/pet.ts";
import { filterToText, type PetFilter, readFilter } from "./filter.ts";
import { invalid, type Parameter, readParameter, text } from "./parameter.ts";

export interface Cursor extends Parameter<string | undefined> {
	/** The filters of the operation. A cursor is valid only with the filter of its page. */
	readonly filters: readonly Parameter<unknown>[];
	readonly rule: string;
}

/** Appends the filters' names to both texts. */
export function cursorWith(
	filters: readonly Parameter<unknown>[],
	options: { description: string; rule: string; addition?: boolean },
): Cursor {
	const { description, rule, addition = false } = options;
	const names = filters.map(({ name }) => name);
	const quoted = names.map((name) => `\`${name}\``);
	return {
		...text({
			name: "cursor",
			description: `${description} the same ${toWords(quoted)}.`,
			pattern: "^[A-Za-z0-9_-]+$",
			addition,
		}),
		filters,
		rule: `${rule} the same ${toWords(names)}`,
	};
}

/** Where the page after the animal `lastId` starts; the first one without it. The newest animals come first. */
export function toMaxId(lastId?: bigint): bigint {
	return lastId === undefined ? maxInt64 : lastId - 1n;
}

export function readPlace(
	query: string,
	cursor: Cursor,
): { filter: PetFilter; maxId: bigint } {
	const filter = readFilter(query, cursor.filters);
	const text = readParameter(query, cursor);
	if (text === undefined) return { filter, maxId: toMaxId() };
	const lastId = fromCursor(text, filter);
	if (lastId === undefined) throw invalid(cursor.name, cursor.rule);
	return { filter, maxId: toMaxId(lastId) };
}

/** The cursor of the page after the animal `lastId`. Has only a checksum of the filter: a name may be long. */
export function toCursor(lastId: bigint, filter: PetFilter): string {
	const checksum = crc32(`${lastId}.${filterToText(filter)}`);
	const text = `${lastId}.${filter.status ?? ""}.${checksum}`;
	return Buffer.from(text).toString("base64url");
}

/** The id of the last animal on the previous page; undefined for a text that is not a cursor of this filter. */
export function fromCursor(
	cursor: string,
	filter: PetFilter,
): bigint | undefined {
	const [digits = ""] = Buffer.from(cursor, "base64url").toString().split(".");
	const lastId = toPetId(digits);
	return lastId !== undefined && toCursor(lastId, filter) === cursor
		? lastId
		: undefined;
}

function toWords(names: readonly string[]): string {
	return names.join(", ").replace(/, (?=[^,]*$)/, " and ");
}
