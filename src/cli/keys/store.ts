// Opens the database of the commands for keys, and reads their arguments.
import { InvalidArgumentError } from "commander";
import { OperatorError } from "../../contract/errors.ts";
import { isKeyName, keyNameRule } from "../../contract/key-name.ts";
import type { Keys } from "../../store/keys.ts";
import { openStore } from "../../store/open.ts";
import type { DatabaseFlags } from "../options.ts";

export async function withKeys<Result>(
	{ database }: DatabaseFlags,
	options: { create: boolean },
	use: (keys: Keys) => Promise<Result>,
): Promise<Result> {
	const store = await openStore(database, options);
	try {
		return await use(store.keys);
	} finally {
		await store.close();
	}
}

/** The argument that names a key. */
export const idArgument = [
	"<id>",
	'the number that "keys list" shows',
] as const;

export function toKeyId(text: string): number {
	if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
	throw new InvalidArgumentError(
		'It must be the id of a key, a whole number; see "petstore keys list".',
	);
}

export function noSuchKey(id: number): OperatorError {
	return new OperatorError(`There is no key ${id}; see "petstore keys list".`);
}

export function toName(text: string): string {
	if (isKeyName(text)) return text;
	throw new InvalidArgumentError(`It ${keyNameRule}.`);
}
