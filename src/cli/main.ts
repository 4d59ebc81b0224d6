// The command line: `petstore sandbox`, `petstore serve`, `petstore keys …`, `petstore console`, `petstore pets …`, `petstore status`,
// `petstore health`, `petstore usage`, `petstore import`, `petstore export`, `petstore backup`, `petstore restore`, `petstore check`,
// `petstore copy`, `petstore verify`, `petstore openapi`, `petstore completion`, `petstore licenses`, and `petstore version` and `petstore help`.
import { Command, CommanderError } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { Failure, OperatorError } from "../contract/errors.ts";
import { type CommandName, commandNames, load } from "./commands.ts";
import { acceptEarlyDatabase } from "./early-database.ts";
import { findUnknownVariables, removeEmptyVariables } from "./environment.ts";
import { addHelp } from "./help.ts";
import { addHints, configureMistakes } from "./mistakes.ts";
import { joinOpenApiVersion } from "./openapi-version.ts";
import { say } from "./print.ts";
import { addVersion, toVersion } from "./version.ts";

const versionWords = ["version", "-v", "-V", "--version"];
const usageStatus = 2;

const program = new Command("petstore")
	.description("A real pet store: HTTP and JSON, API keys, kept on disk.")
	.addHelpText(
		"after",
		`
Examples:
  petstore sandbox
  petstore serve
  petstore keys create --name "my laptop"
  petstore help keys create`,
	)
	.exitOverride();
configureMistakes(program);
acceptEarlyDatabase(program);
for (const name of toNeeded(process.argv[2])) (await load[name]())(program);
addVersion(program, toVersion(manifest.version));
addHelp(program);
addHints(program);
program.hook("preAction", (_program, command) => warnOfVariables(command));

let status = 0;
removeEmptyVariables();
try {
	await program.parseAsync(joinOpenApiVersion(process.argv));
} catch (error) {
	status = report(error);
}
// Exits without waiting for an empty event loop: a connection that is still open must not keep a finished command alive.
process.exit(process.exitCode ?? status);

/** If the first word is a command, no other is needed. Help and suggestions need all of them. */
function toNeeded(word = ""): readonly CommandName[] {
	if (versionWords.includes(word)) return [];
	const called = commandNames.find((name) => name === word);
	return called === undefined || called === "completion"
		? commandNames
		: [called];
}

/** serve has a log for it, and completion must not write between the words of a terminal. */
function warnOfVariables(command: Command): void {
	const warning = findUnknownVariables();
	if (
		warning !== undefined &&
		!["serve", "completion"].includes(command.name())
	)
		say(`petstore: warning: ${warning}.`);
}

function report(error: unknown): number {
	// Commander has written its sentence, or the help that was asked for.
	if (error instanceof CommanderError)
		return error.exitCode === 0 ? 0 : usageStatus;
	if (error instanceof OperatorError) {
		say(`petstore: ${error.message}`);
		return error.exitStatus;
	}
	if (error instanceof Failure) {
		const { message, cause } = error;
		say(
			`petstore: ${message}${cause instanceof Error ? ` (${cause.message})` : ""}`,
		);
		return 1;
	}
	console.error(error);
	return 1;
}
