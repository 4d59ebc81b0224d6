// `petstore help`: the help of any command, also of one inside another, which Commander's own help command does not find.
import type { Command } from "commander";

export function addHelp(parent: Command): void {
	parent
		.helpCommand(false)
		.command("help")
		.argument("[command...]", "the command, like: serve, or: keys create")
		.description("print the help of a command")
		.action((names: readonly string[]) => find(parent, names).help());
}

function find(command: Command, [name, ...rest]: readonly string[]): Command {
	if (name === undefined) return command;
	const inner = command.commands.find((one) => one.name() === name);
	if (inner === undefined) command.error(`error: unknown command '${name}'`);
	return find(inner, rest);
}
