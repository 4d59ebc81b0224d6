// The parameters of the operations on keys, and the cursor of further pages.
import { integer, invalid, type Parameter, text } from "../../parameter.ts";
import { maxPets } from "../../schemas.ts";

export const keysLimit = integer({
	name: "limit",
	description: "The maximum number of keys returned.",
	...{ minimum: 1, maximum: maxPets, default: 20, example: 20 },
});

export const keysCursor = text({
	name: "cursor",
	description: "Where to go on: the `next` of an earlier reply.",
	pattern: "^[A-Za-z0-9_-]+$",
	addition: false,
});

export const forget: Parameter<boolean> = {
	name: "forget",
	description:
		"Deletes the key for good, if it was revoked 30 days ago or earlier. Its usage stays under its id, which is never assigned again.",
	schema: { type: "boolean", default: false },
	addition: false,
	read(text = "false") {
		if (text === "true" || text === "false") return text === "true";
		throw invalid("forget", "must be true or false");
	},
};

/** The cursor of the page that begins after the key `lastId`. */
export function toKeysCursor(lastId: number): string {
	return Buffer.from(`key ${lastId}`).toString("base64url");
}

/** The id after which the page begins. Throws for any text that `toKeysCursor` does not return. */
export function fromKeysCursor(cursor: string): number {
	const [, digits] =
		/^key (\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
	const lastId = Number(digits);
	if (digits !== undefined && toKeysCursor(lastId) === cursor) return lastId;
	throw invalid("cursor", "must be the next of an earlier reply");
}
