// Help and usage errors: `petstore help` for any command, one prefix for all messages, and a hint at the command's help.
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { isTerminal } from "../../log/output.ts";
import { forcesColours } from "../environment.ts";
import { print } from "./print.ts";

/** Replaces Commander's own help command, which does not find nested commands. */
export function addHelp(parent: CommandUnknownOpts): void {
	parent
		.helpCommand(false)
		.command("help")
		.argument("[command...]", 'command, like "serve" or "keys create"')
		.description("print the help of a command")
		.action((names) => find(parent, names).help());
}

function find(
	command: CommandUnknownOpts,
	[name, ...rest]: readonly string[],
): CommandUnknownOpts {
	if (name === undefined) return command;
	const inner = command.commands.find((one) => one.name() === name);
	if (inner === undefined) command.error(`error: unknown command '${name}'`);
	return find(inner, rest);
}

/** Must be called after all commands were added. */
export function explainMistakes(program: CommandUnknownOpts): void {
	program
		.exitOverride()
		.configureHelp({
			// Commander drops colours if the output is no terminal or NO_COLOR is set.
			styleTitle: (title) => `\x1b[1m${title}\x1b[22m`,
		})
		.configureOutput({
			outputError: (text, write) => write(text.replace(/^error: /, prefix)),
			...(isTerminal(1) || forcesColours() ? {} : plainOutput),
		})
		// Commander prints the help as an error if the command is missing.
		.addHelpText("beforeAll", ({ error }) =>
			error ? `${prefix}no command was given\n` : "",
		);
	addHints(program, "");
}

const prefix = "petstore: ";

/** Without `process.stdout`, which Bun loads more slowly than all else that the help needs. */
const plainOutput = {
	writeOut: print,
	getOutHelpWidth: () => 80,
	getOutHasColors: () => false,
};

function addHints(command: CommandUnknownOpts, path: string): void {
	for (const inner of command.commands) {
		inner.copyInheritedSettings(command);
		addHints(inner, `${path}${inner.name()} `);
	}
	command.showHelpAfterError(
		`Run "petstore ${path}--help" to see its arguments and flags.`,
	);
}
