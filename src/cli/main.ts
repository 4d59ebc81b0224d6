// The command line: `petstore sandbox`, `petstore serve`, `petstore keys …`, `petstore console`, `petstore pets …`, `petstore status`,
// `petstore health`, `petstore usage`, `petstore import`, `petstore export`, `petstore backup`, `petstore restore`, `petstore check`,
// `petstore copy`, `petstore verify`, `petstore openapi`, `petstore completion`, `petstore licenses`, and `petstore version` and `petstore help`.
import { Command, CommanderError } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { Failure, OperatorError } from "../contract/errors.ts";
import { acceptEarlyDatabase } from "./early-database.ts";
import { removeEmptyVariables } from "./environment.ts";
import { addHelp } from "./help.ts";
import { addHints, configureMistakes } from "./mistakes.ts";
import { joinOpenApiVersion } from "./openapi-version.ts";
import { say } from "./print.ts";
import { addVersion, toVersion } from "./version.ts";

/** In the order in which a new user needs them. */
const commandNames = [
	...([
		"sandbox",
		"serve",
		"keys",
		"console",
		"pets",
		"status",
		"health",
		"usage",
	] as const),
	...(["import", "export"] as const),
	...(["backup", "restore", "check", "copy"] as const),
	...(["verify", "openapi", "completion", "licenses"] as const),
];
type CommandName = (typeof commandNames)[number];

/** A command is loaded when it is needed: all of them would take longer than most commands. */
const load: Readonly<
	Record<CommandName, () => Promise<(program: Command) => void>>
> = {
	sandbox: async () => (await import("./sandbox/sandbox.ts")).addSandbox,
	serve: async () => (await import("./serve.ts")).addServe,
	keys: async () => (await import("./keys/keys.ts")).addKeys,
	console: async () => (await import("./console/console.ts")).addConsole,
	pets: async () => (await import("./pets/pets.ts")).addPets,
	status: async () => (await import("./status.ts")).addStatus,
	health: async () => (await import("./health/health.ts")).addHealth,
	usage: async () => (await import("./usage/usage.ts")).addUsage,
	import: async () => (await import("./import/import.ts")).addImport,
	export: async () => (await import("./export/export.ts")).addExport,
	backup: async () => (await import("./backup/backup.ts")).addBackup,
	restore: async () => (await import("./backup/restore.ts")).addRestore,
	check: async () => (await import("./backup/check.ts")).addCheck,
	copy: async () => (await import("./copy.ts")).addCopy,
	verify: async () => (await import("./verify/verify.ts")).addVerify,
	openapi: async () => (await import("./openapi.ts")).addOpenapi,
	completion: async () =>
		(await import("./completion/completion.ts")).addCompletion,
	licenses: async () => (await import("./licenses.ts")).addLicenses,
};

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
