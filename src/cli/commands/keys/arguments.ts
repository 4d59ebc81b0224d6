// The arguments of the commands for keys, and times as they print them.
import { InvalidArgumentError } from "@commander-js/extra-typings";
import { OperatorError } from "../../../domain/errors.ts";
import { isKeyName, keyNameRule } from "../../../domain/key-scope.ts";
import { toTimeText } from "../../../domain/time.ts";
import { toTyped } from "../../../program.ts";
import { wholeNumber } from "../../flags.ts";

/** The argument that names a key. */
export const idArgument = [
	"<id>",
	'id of the key, as "keys list" shows it',
] as const;

const hint = `see "${toTyped("keys list")}"`;

export const toKeyId = wholeNumber(
	1,
	10 ** 15 - 1,
	`the id of a key, a whole number; ${hint}`,
);

export function noSuchKey(id: number): OperatorError {
	return new OperatorError(`No key has the id ${id}; ${hint}.`);
}

export function toName(text: string): string {
	if (isKeyName(text)) return text;
	throw new InvalidArgumentError(`It ${keyNameRule}.`);
}

export function toTimeOrNull(time: number | undefined): string | null {
	return time === undefined ? null : toTimeText(time);
}

export function toSecond(iso: string): string {
	return `${iso.slice(0, 19).replace("T", " ")} UTC`;
}
