// The completion script for zsh. It may be sourced, or be a file _petstore in a folder of fpath.
import type { Completed, Flag } from "./completed.ts";

export function toZshScript(commands: readonly Completed[]): string {
	const inner = commands.slice(1).map(({ path }) => `'${path}'`);
	return `#compdef petstore
# Completes the command line of petstore in zsh.
_petstore() {
	local at=petstore word
	local -a choices
	for word in "\${(@)words[2,CURRENT-1]}"; do
		case "$at $word" in
			${inner.join(" | ")}) at="$at $word" ;;
		esac
	done
	case "$at $words[CURRENT-1]" in
${commands.flatMap(toValueCases).join("\n")}
	esac
	case "$at" in
${commands.map(toChoices).join("\n")}
	esac
	_describe petstore choices
}
compdef _petstore petstore
# As a file of fpath it is called at once; when it is sourced it is not.
if [ "$funcstack[1]" = "_petstore" ]; then _petstore "$@"; fi
`;
}

/** After a flag with a value, only its values are completed. */
function toValueCases({ path, flags }: Completed): string[] {
	return flags
		.filter(({ value }) => value !== "none")
		.flatMap(({ names, value }) =>
			names.map((name) => `\t\t'${path} ${name}') ${toAction(value)} ;;`),
		);
}

function toAction(value: Flag["value"]): string {
	if (value === "file") return "_files; return";
	if (typeof value === "string") return "return";
	return `compadd -- ${value.join(" ")}; return`;
}

function toChoices({ path, words, flags }: Completed): string {
	const choices = [
		...words.map(({ text, description }) => `${text}:${description}`),
		...flags.flatMap(({ names, description }) =>
			names.map((name) => `${name}:${description}`),
		),
	];
	return `\t\t'${path}') choices=(${choices.map(quote).join(" ")}) ;;`;
}

function quote(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}
