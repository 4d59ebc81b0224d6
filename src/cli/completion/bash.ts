// The completion script for bash.
import type { Completed, Flag } from "./completed.ts";

export function toBashScript(commands: readonly Completed[]): string {
	return `# Completes the command line of petstore in bash.
_petstore() {
	local command=petstore words='' word
	local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
	for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		case "$command $word" in
${toCases(commands.slice(1), ({ path }) => [path, 'command="$command $word"'])}
		esac
	done
	case "$command $previous" in
${toValueCases(commands)}
	esac
	case "$command" in
${toCases(commands, (one) => [one.path, `words='${toWords(one)}'`])}
	esac
	COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _petstore petstore
`;
}

/** After a flag with a value, only its values are completed. */
function toValueCases(commands: readonly Completed[]): string {
	const values = commands.flatMap(({ path, flags }) =>
		flags
			.filter(({ value }) => value !== "none")
			.flatMap(({ names, value }) =>
				names.map((name) => ({ text: `${path} ${name}`, value })),
			),
	);
	return toCases(values, ({ text, value }) => [text, toAction(value)]);
}

function toAction(value: Flag["value"]): string {
	if (value === "file") return "compopt -o default; return";
	if (typeof value === "string") return "return";
	return `COMPREPLY=($(compgen -W '${value.join(" ")}' -- "$current")); return`;
}

function toWords({ words, flags }: Completed): string {
	return [
		...words.map(({ text }) => text),
		...flags.flatMap(({ names }) => names),
	].join(" ");
}

function toCases<Item>(
	items: readonly Item[],
	toCase: (item: Item) => readonly [pattern: string, action: string],
): string {
	return items
		.map(toCase)
		.map(([pattern, action]) => `\t\t'${pattern}') ${action} ;;`)
		.join("\n");
}
