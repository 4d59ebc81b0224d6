// What can follow each command on the command line, read from the definitions of the commands. So no script forgets a flag.
import type { CommandUnknownOpts, Option } from "@commander-js/extra-typings";

export interface Completed {
	/** The words of the command, like `petstore keys create`. */
	readonly path: string;
	/** The commands inside it, and the choices of its argument. */
	readonly words: readonly Word[];
	readonly flags: readonly Flag[];
}

export interface Word {
	readonly text: string;
	readonly description: string;
}

export interface Flag {
	/** With its dashes. */
	readonly names: readonly string[];
	readonly description: string;
	/** What follows it: nothing, any text, the name of a file, or one of these words. */
	readonly value: "none" | "text" | "file" | readonly string[];
}

/** The command, and all commands inside it. */
export function toCompleted(
	command: CommandUnknownOpts,
	path = command.name(),
): readonly Completed[] {
	const help = command.createHelp();
	const inner = help.visibleCommands(command);
	return [
		{
			path,
			words: [...inner.map(toWord), ...toChoices(command)],
			flags: help.visibleOptions(command).map(toFlag),
		},
		...inner.flatMap((one) => toCompleted(one, `${path} ${one.name()}`)),
	];
}

/** After `help`, the commands are completed as they are without it. */
export function withHelp(commands: readonly Completed[]): readonly Completed[] {
	const [root, ...others] = commands;
	if (root === undefined) return [];
	const help = `${root.path} help`;
	return [
		root,
		...others.filter(({ path }) => path !== help),
		...commands.map(({ path, words }) => ({
			path: path.replace(root.path, help),
			words: words.filter(({ text }) => isCommand(`${path} ${text}`)),
			flags: [],
		})),
	];

	function isCommand(path: string): boolean {
		return commands.some((one) => one.path === path);
	}
}

function toWord(command: CommandUnknownOpts): Word {
	return { text: command.name(), description: command.description() };
}

function toChoices({ registeredArguments }: CommandUnknownOpts): Word[] {
	return registeredArguments.flatMap(({ argChoices = [], description }) =>
		argChoices.map((text) => ({ text, description })),
	);
}

function toFlag(option: Option): Flag {
	const { short, long, description } = option;
	return {
		names: [short, long].filter((name) => name !== undefined),
		description,
		value: toValue(option),
	};
}

function toValue({ required, argChoices, flags }: Option): Flag["value"] {
	if (!required) return "none";
	return argChoices ?? (flags.endsWith("<file>") ? "file" : "text");
}
