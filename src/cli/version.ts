// The version, in all the ways in which people ask for it: `-v`, `-V`, `--version` and `petstore version`.
import { type Command, CommanderError, Option } from "commander";
import { commit } from "../program.ts";
import { print } from "./print.ts";

/** An executable also names the commit that it was built from. */
export function toVersion(version: string): string {
	return commit === undefined ? version : `${version} (${commit})`;
}

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
