// `petstore completion`: a script that completes commands, flags and values in a shell. It is made from the command definitions, so it
// lacks no flag. The zsh script can be sourced, or saved as _petstore in a folder of fpath.
import {
	Argument,
	Command,
	type CommandUnknownOpts,
	type Option,
} from "@commander-js/extra-typings";
import { print } from "../terminal/print.ts";

const shells = ["bash", "zsh", "fish"] as const;

export const command = new Command("completion")
	.addArgument(
		new Argument("<shell>", "shell to print the script for").choices(shells),
	)
	.addHelpText(
		"after",
		`
Add one of these lines to your shell's startup file:
  bash  ~/.bashrc                   source <(petstore completion bash)
  zsh   ~/.zshrc, after compinit    source <(petstore completion zsh)
  fish  ~/.config/fish/config.fish  petstore completion fish | source

A shell completes only commands that are on its PATH: "petstore", not
"npx petstore".`,
	)
	.action((shell) =>
		print(scripts[shell](withHelp(toCompleted(command.parent ?? command)))),
	);

interface Completed {
	/** The words of the command, like `petstore keys create`. */
	readonly path: string;
	/** The commands inside it, the choices of its argument, and its flags with their dashes. */
	readonly words: readonly Word[];
}

interface Word {
	readonly names: readonly string[];
	readonly description: string;
	/** What follows a flag: nothing, any text, the path of a file or folder, or one of these words. */
	readonly value: "none" | "text" | "file" | readonly string[];
}

/** The command, and all commands inside it. */
export function toCompleted(
	command: CommandUnknownOpts,
	path = command.name(),
): readonly Completed[] {
	const help = command.createHelp();
	const inner = help.visibleCommands(command);
	const toWord = (name: string, description: string): Word => ({
		names: [name],
		description,
		value: "none",
	});
	const words = [
		...inner.map((one) => toWord(one.name(), one.description())),
		...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
			argChoices.map((text) => toWord(text, description)),
		),
		...help.visibleOptions(command).map((option) => ({
			names: [option.short, option.long].filter((name) => name !== undefined),
			description: option.description,
			value: toValue(option),
		})),
	];
	return [
		{ path, words },
		...inner.flatMap((one) => toCompleted(one, `${path} ${one.name()}`)),
	];
}

function toValue({ required, argChoices, flags }: Option): Word["value"] {
	if (!required) return "none";
	return argChoices ?? (/<(file|folder)>$/.test(flags) ? "file" : "text");
}

/** Completes commands after `help` too. */
function withHelp(commands: readonly Completed[]): readonly Completed[] {
	const paths = commands.map(({ path }) => path);
	const [root = ""] = paths;
	const help = `${root} help`;
	return [
		...commands.filter(({ path }) => path !== help),
		...commands.map(({ path, words }) => ({
			path: path.replace(root, help),
			words: words.filter(({ names }) => paths.includes(`${path} ${names[0]}`)),
		})),
	];
}

const scripts: Record<
	(typeof shells)[number],
	(commands: readonly Completed[]) => string
> = {
	bash: (commands) => `# Completes the command line of petstore in bash.
_petstore() {
	local command=petstore words='' word
	local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
	for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		case "$command $word" in
			${toPaths(commands).join(" | ")}) command="$command $word" ;;
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
${commands.map(({ path, words }) => toCase(path, `words='${words.flatMap(({ names }) => names).join(" ")}'`)).join("\n")}
	esac
	COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _petstore petstore
`,
	zsh: (commands) => `#compdef petstore
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
${commands.map(({ path, words }) => toCase(path, `choices=(${words.flatMap(toZshChoices).join(" ")})`)).join("\n")}
	esac
	_describe petstore choices
}
compdef _petstore petstore
# As a file of fpath it is called at once; when it is sourced it is not.
if [ "$funcstack[1]" = "_petstore" ]; then _petstore "$@"; fi
`,
	fish: (commands) => `# Completes the command line of petstore in fish.
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
`,
};

/** Of all commands but the program itself. */
function toPaths(commands: readonly Completed[]): string[] {
	return commands.slice(1).map(({ path }) => `'${path}'`);
}

function toCase(pattern: string, action: string): string {
	return `\t\t'${pattern}') ${action} ;;`;
}

/** After a flag with a value, only its values are completed. */
function toValueCases(
	commands: readonly Completed[],
	completeFiles: string,
	complete: (words: string) => string,
): string {
	const toAction = (value: Word["value"]) => {
		if (value === "file") return `${completeFiles}; return`;
		if (typeof value === "string") return "return";
		return `${complete(value.join(" "))}; return`;
	};
	return commands
		.flatMap(({ path, words }) =>
			words
				.filter(({ value }) => value !== "none")
				.flatMap(({ names, value }) =>
					names.map((name) => toCase(`${path} ${name}`, toAction(value))),
				),
		)
		.join("\n");
}

function toZshChoices({ names, description }: Word): string[] {
	const text = description.replaceAll("'", "'\\''");
	return names.map((name) => `'${name}:${text}'`);
}

function toFishLines({ path, words }: Completed): string[] {
	return words.map(
		({ names, description, value }) =>
			`complete -c petstore -n "__petstore_at '${path}'" ${[...names.map(toFishName), ...toFishValue(value)].join(" ")} -d ${quote(description)}`,
	);
}

function toFishName(name: string): string {
	if (name.startsWith("--")) return `-l ${name.slice(2)}`;
	return name.startsWith("-") ? `-s ${name.slice(1)}` : `-a ${name}`;
}

/** `-x` and `-r` say that a value follows, `-F` that it is the name of a file. */
function toFishValue(value: Word["value"]): string[] {
	if (value === "none") return [];
	if (value === "file") return ["-r", "-F"];
	return value === "text" ? ["-x"] : ["-x", "-a", quote(value.join(" "))];
}

function quote(text: string): string {
	return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
