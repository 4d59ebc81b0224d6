// Help and usage errors: one prefix for all messages, and a hint at the command's help.
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { print } from "./print.ts";

/** Must be called after all commands were added. */
export function explainMistakes(program: CommandUnknownOpts): void {
	program
		.exitOverride()
		.configureOutput({
			outputError: (text, write) => write(text.replace(/^error: /, prefix)),
			// Without `process.stdout`, which Bun loads more slowly than all else that the help needs.
			writeOut: print,
			getOutHelpWidth: () => 80,
			getOutHasColors: () => false,
		})
		// Commander prints the help as an error if the command is missing.
		.addHelpText("beforeAll", ({ error }) =>
			error ? `${prefix}no command was given\n` : "",
		);
	addHints(program, "");
}

const prefix = "petstore: ";

function addHints(command: CommandUnknownOpts, path: string): void {
	for (const inner of command.commands) {
		inner.copyInheritedSettings(command);
		addHints(inner, `${path}${inner.name()} `);
	}
	command.showHelpAfterError(
		`Run "petstore ${path}--help" to see its arguments and flags.`,
	);
}
