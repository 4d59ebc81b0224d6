// The version, in all the ways in which people ask for it: `-v`, `-V`, `--version` and `petstore version`.
import { type Command, CommanderError, Option } from "commander";
import { print } from "./print.ts";

export function addVersion(program: Command, version: string): void {
	program
		.version(version, "-v, --version", "print the version")
		.addOption(new Option("-V").hideHelp())
		.on("option:V", () => {
			print(`${version}\n`);
			throw new CommanderError(0, "commander.version", version);
		})
		.command("version")
		.description("print the version")
		.action(() => print(`${version}\n`));
}
