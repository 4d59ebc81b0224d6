// How the command line explains mistakes in arguments: one prefix for all messages, and a hint at the help of the command.
import type { Command } from "commander";
import { toTyped } from "../program.ts";

/** Must be called before commands are added, since they inherit it. */
export function configureMistakes(program: Command): void {
	program
		.configureHelp({
			// Commander leaves colours out where the output is no terminal or NO_COLOR is set.
			styleTitle: (title) => `\x1b[1m${title}\x1b[22m`,
		})
		.configureOutput({
			outputError: (text, write) => write(text.replace(/^error: /, prefix)),
		})
		// Commander prints the help as an error if the command is missing.
		.addHelpText("beforeAll", ({ error }) =>
			error ? `${prefix}no command was given\n` : "",
		);
}

const prefix = "petstore: ";

/** Must be called after all commands were added. */
export function addHints(command: Command, path = ""): void {
	const help = toTyped(`${path}--help`);
	command.showHelpAfterError(`Run "${help}" to see what it takes.`);
	for (const inner of command.commands)
		addHints(inner, `${path}${inner.name()} `);
}
