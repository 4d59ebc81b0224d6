// The parameters of the operations on animals in the operator interface.
import { cursorWith } from "../../cursor.ts";
import { fileFormats } from "../../file-format.ts";
import { filters } from "../../filter.ts";
import { oneOf } from "../../parameter.ts";

/** Of findPets and exportPets. */
export const offered = [filters.status, filters.categoryId, filters.name];

export const cursor = cursorWith(offered, {
	description: "Where to go on: the `next` of an earlier reply, for use with",
	rule: "must be the next of a reply to",
	addition: false,
});

export const format = oneOf({
	name: "format",
	description: "The format of the file; NDJSON if absent.",
	values: fileFormats,
	schema: { type: "string", enum: fileFormats, default: "ndjson" },
	example: "csv",
});
