// The id of an animal as text. Apart from pet.ts, so that the script of the console has it without the readers and schemas.
import { maxInt64 } from "../types/json.ts";

/** Reads a plain decimal id; undefined if it cannot be the id of an animal. */
export function toPetId(text: string): bigint | undefined {
	if (!/^[1-9][0-9]{0,18}$/.test(text)) return undefined;
	const id = BigInt(text);
	return id <= maxInt64 ? id : undefined;
}
