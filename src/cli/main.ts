// The command line: `petstore serve`, `petstore keys …`, `petstore openapi`, `petstore copy`,
// `petstore verify`.
import { styleText } from "node:util";
import { Command, CommanderError } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { Failure, OperatorError } from "../contract/errors.ts";
import { addCopy } from "./copy.ts";
import { removeEmptyVariables } from "./environment.ts";
import { addKeys } from "./keys.ts";
import { addOpenapi } from "./openapi.ts";
import { databaseOption } from "./options.ts";
import { say } from "./print.ts";
import { addServe } from "./serve.ts";
import { addVerify } from "./verify.ts";

const usageStatus = 2;

const program = new Command("petstore")
	.description("A real pet store: HTTP and JSON, API keys, kept on disk.")
	.version(manifest.version)
	.addOption(databaseOption)
	.configureHelp({
		showGlobalOptions: true,
		// Commander leaves colours out where the output is no terminal or NO_COLOR is set.
		styleTitle: (title) => styleText("bold", title, { validateStream: false }),
	})
	.showHelpAfterError('Run it with "--help" to see what it takes.')
	.addHelpText(
		"after",
		`
Examples:
  petstore serve
  petstore keys create --name "my laptop"
  petstore --database sqlite:/var/lib/petstore/petstore.db serve --port 80`,
	)
	.exitOverride();
addServe(program);
addKeys(program);
addOpenapi(program);
addCopy(program);
addVerify(program);

let status = 0;
removeEmptyVariables();
try {
	await program.parseAsync();
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
