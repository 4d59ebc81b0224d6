// Where a further page of animals begins: an opaque text, and the parameter that takes it.
import { crc32 } from "../domain/hash.ts";
import { maxInt64 } from "../domain/json.ts";
import { toPetId } from "../domain/pet.ts";
import { filterToText, type PetFilter, readFilter } from "./filter.ts";
import { invalid, type Parameter, readParameter, text } from "./parameter.ts";

export interface Cursor extends Parameter<string | undefined> {
	/** The filters of the operation. A cursor is only for the filter that it was made for. */
	readonly filters: readonly Parameter<unknown>[];
	readonly rule: string;
}

/** Both texts go on with the names of the filters. */
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

/** The first id of a page: newest first from `maxId` downward, or oldest first from the id after `afterId` upward. */
export type Start =
	| { readonly maxId: bigint; readonly afterId?: undefined }
	| { readonly afterId: bigint; readonly maxId?: undefined };

/** The page that begins after the animal `lastId`; the first one without it. */
export function toStart({ order }: PetFilter, lastId?: bigint): Start {
	if (order === "oldest") return { afterId: lastId ?? 0n };
	return { maxId: lastId === undefined ? maxInt64 : lastId - 1n };
}

/** What a query asks for: the filter, and where the page begins. */
export function readPlace(
	query: string,
	cursor: Cursor,
): { filter: PetFilter; start: Start; isFirst: boolean } {
	const filter = readFilter(query, cursor.filters);
	const text = readParameter(query, cursor);
	if (text === undefined)
		return { filter, start: toStart(filter), isFirst: true };
	const lastId = fromCursor(text, filter);
	if (lastId === undefined) throw invalid(cursor.name, cursor.rule);
	return { filter, start: toStart(filter, lastId), isFirst: false };
}

/** The cursor of the page that begins after the animal `lastId`. A name may be long, so only its checksum is in it. */
export function toCursor(lastId: bigint, filter: PetFilter): string {
	const checksum = crc32(`${lastId}.${filterToText(filter)}`);
	const text = `${lastId}.${filter.status ?? ""}.${checksum}`;
	return Buffer.from(text).toString("base64url");
}

/** The id of the last animal on the previous page; undefined for any text that `toCursor` does not return for this filter. */
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
