// `--database` before the command, as in `petstore --database sqlite:x.db serve`, and its refusal by commands that use no database.
import { type Command, Option } from "commander";
import { OperatorError } from "../contract/errors.ts";
import { databaseOption } from "./options.ts";

/**
 * Commander lets the program itself take the flag wherever it stands, and `optsWithGlobals()` gives it to the command. The variable and
 * the default are those of the command's own `databaseOption`.
 */
export function acceptEarlyDatabase(program: Command): void {
	program
		.addOption(new Option(databaseOption.flags).hideHelp())
		.hook("preAction", (_program, command) => {
			if (program.getOptionValue("database") !== undefined)
				requireDatabaseOption(command);
		});
}

function requireDatabaseOption(command: Command): void {
	if (command.options.some(({ long }) => long === databaseOption.long)) return;
	throw new OperatorError(
		command.options.some(({ long }) => long === "--from")
			? `${command.name()} takes its databases from --from and --to; leave --database out.`
			: `${command.name()} uses no database; leave --database out.`,
		2,
	);
}
