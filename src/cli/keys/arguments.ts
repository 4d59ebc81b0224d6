// The arguments of the commands for keys, with the rules for their values.
import { InvalidArgumentError } from "commander";
import { OperatorError } from "../../contract/errors.ts";
import { isKeyName, keyNameRule } from "../../contract/key-scope.ts";
import { toTyped } from "../../program.ts";

/** The argument that names a key. */
export const idArgument = [
	"<id>",
	'the number that "keys list" shows',
] as const;

export function toKeyId(text: string): number {
	if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
	throw new InvalidArgumentError(
		`It must be the id of a key, a whole number; ${hint}.`,
	);
}

export function noSuchKey(id: number): OperatorError {
	return new OperatorError(`There is no key ${id}; ${hint}.`);
}

const hint = `see "${toTyped("keys list")}"`;

export function toName(text: string): string {
	if (isKeyName(text)) return text;
	throw new InvalidArgumentError(`It ${keyNameRule}.`);
}
