// The command line: `petstore sandbox`, `petstore serve`, `petstore keys …`, `petstore console`, `petstore pets …`, `petstore status`,
// `petstore usage`, `petstore verify`, `petstore openapi`, `petstore copy`, `petstore completion`, and `petstore version` and
// `petstore help`.
import { Command, CommanderError } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { Failure, OperatorError } from "../contract/errors.ts";
import { addCompletion } from "./completion/completion.ts";
import { addConsole } from "./console/console.ts";
import { addCopy } from "./copy.ts";
import { acceptEarlyDatabase } from "./early-database.ts";
import { removeEmptyVariables } from "./environment.ts";
import { addHelp } from "./help.ts";
import { addKeys } from "./keys/keys.ts";
import { addHints, configureMistakes } from "./mistakes.ts";
import { addOpenapi, joinOpenApiVersion } from "./openapi.ts";
import { addPets } from "./pets/pets.ts";
import { say } from "./print.ts";
import { addSandbox } from "./sandbox/sandbox.ts";
import { addServe } from "./serve.ts";
import { addStatus } from "./status.ts";
import { addUsage } from "./usage/usage.ts";
import { addVerify } from "./verify/verify.ts";
import { addVersion } from "./version.ts";

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
// In the order in which a new user needs them.
addSandbox(program);
addServe(program);
addKeys(program);
addConsole(program);
addPets(program);
addStatus(program);
addUsage(program);
addVerify(program);
addOpenapi(program);
addCopy(program);
addCompletion(program);
addVersion(program, manifest.version);
addHelp(program);
addHints(program);

let status = 0;
removeEmptyVariables();
try {
	await program.parseAsync(joinOpenApiVersion(process.argv));
} catch (error) {
	status = report(error);
}
// Exits without waiting for an empty event loop: a connection that is still open must not keep a finished command alive.
process.exit(process.exitCode ?? status);

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
