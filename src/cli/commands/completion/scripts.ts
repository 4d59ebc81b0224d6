// The completion scripts for bash, zsh and fish. That of zsh may be sourced, or be a file _petstore in a folder of fpath.
import type { Completed, Flag } from "./completed.ts";

export function toBashScript(commands: readonly Completed[]): string {
	const cases = commands.map(({ path, words, flags }) => {
		const texts = words.map(({ text }) => text);
		const names = flags.flatMap((flag) => flag.names);
		return toCase(path, `words='${[...texts, ...names].join(" ")}'`);
	});
	return `# Completes the command line of petstore in bash.
_petstore() {
	local command=petstore words='' word
	local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
	for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		case "$command $word" in
${commands
	.slice(1)
	.map(({ path }) => toCase(path, 'command="$command $word"'))
	.join("\n")}
		esac
	done
	case "$command $previous" in
${toValueCases(
	commands,
	"compopt -o default",
	(words) => `COMPREPLY=($(compgen -W '${words}' -- "$current"))`,
)}
	esac
	case "$command" in
${cases.join("\n")}
	esac
	COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _petstore petstore
`;
}

export function toZshScript(commands: readonly Completed[]): string {
	const cases = commands.map(({ path, words, flags }) => {
		const choices = [
			...words.map(({ text, description }) => `${text}:${description}`),
			...flags.flatMap(({ names, description }) =>
				names.map((name) => `${name}:${description}`),
			),
		].map((text) => `'${text.replaceAll("'", "'\\''")}'`);
		return toCase(path, `choices=(${choices.join(" ")})`);
	});
	return `#compdef petstore
# Completes the command line of petstore in zsh.
_petstore() {
	local at=petstore word
	local -a choices
	for word in "\${(@)words[2,CURRENT-1]}"; do
		case "$at $word" in
			${toPaths(commands).join(" | ")}) at="$at $word" ;;
		esac
	done
	case "$at $words[CURRENT-1]" in
${toValueCases(commands, "_files", (words) => `compadd -- ${words}`)}
	esac
	case "$at" in
${cases.join("\n")}
	esac
	_describe petstore choices
}
compdef _petstore petstore
# As a file of fpath it is called at once; when it is sourced it is not.
if [ "$funcstack[1]" = "_petstore" ]; then _petstore "$@"; fi
`;
}

/** After a flag with a value, only its values are completed. */
function toValueCases(
	commands: readonly Completed[],
	completeFiles: string,
	complete: (words: string) => string,
): string {
	const toAction = (value: Flag["value"]) => {
		if (value === "file") return `${completeFiles}; return`;
		if (typeof value === "string") return "return";
		return `${complete(value.join(" "))}; return`;
	};
	return commands
		.flatMap(({ path, flags }) =>
			flags
				.filter(({ value }) => value !== "none")
				.flatMap(({ names, value }) =>
					names.map((name) => toCase(`${path} ${name}`, toAction(value))),
				),
		)
		.join("\n");
}

function toCase(pattern: string, action: string): string {
	return `\t\t'${pattern}') ${action} ;;`;
}

/** Those of all commands but the program itself. */
function toPaths(commands: readonly Completed[]): string[] {
	return commands.slice(1).map(({ path }) => `'${path}'`);
}

export function toFishScript(commands: readonly Completed[]): string {
	return `# Completes the command line of petstore in fish.
function __petstore_at
	set -l command petstore
	for word in (commandline -opc)
		switch "$command $word"
			case ${toPaths(commands).join(" ")}
				set command "$command $word"
		end
	end
	test "$command" = "$argv[1]"
end
complete -c petstore -f
${commands.flatMap(toFishLines).join("\n")}
`;
}

function toFishLines({ path, words, flags }: Completed): string[] {
	const toLine = (what: string, description: string) =>
		`complete -c petstore -n "__petstore_at '${path}'" ${what} -d ${quote(description)}`;
	return [
		...words.map(({ text, description }) => toLine(`-a ${text}`, description)),
		...flags.map((flag) => toLine(toParameters(flag), flag.description)),
	];
}

/** `-x` and `-r` say that a value follows, `-F` that it is the name of a file. */
function toParameters({ names, value }: Flag): string {
	const flags = names.map((name) =>
		name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
	);
	if (value === "file") flags.push("-r", "-F");
	else if (value === "text") flags.push("-x");
	else if (value !== "none") flags.push("-x", "-a", quote(value.join(" ")));
	return flags.join(" ");
}

function quote(text: string): string {
	return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
