// The command line: the commands of commands.ts.
import { Command, CommanderError } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { Failure, OperatorError } from "../domain/errors.ts";
import { commit, taskWord } from "../program.ts";
import { descriptions, modules } from "./commands.ts";
import { findUnknownVariables } from "./environment.ts";
import { print, say, toSentence } from "./terminal/print.ts";

const usageStatus = 2;
const prefix = "petstore: ";

/** An executable also names the commit that it was built from. */
const version = manifest.version + (commit === undefined ? "" : ` (${commit})`);

const program = new Command("petstore")
	.description("A real pet store: HTTP and JSON, API keys, kept on disk.")
	.addHelpText(
		"after",
		`
Examples:
  petstore sandbox
  petstore serve
  petstore keys create --name "my laptop"
  petstore keys create --help`,
	)
	.version(version, "-v, --version", "print the version")
	.hook("preAction", (_program, command) => {
		const warning = findUnknownVariables();
		// serve logs it.
		if (warning !== undefined && command.name() !== "serve")
			say(`${prefix}warning: ${warning}.`);
	});
main();

/** Not at the top level: a CommonJS module, as which the build makes this file, cannot wait there. */
async function main(): Promise<void> {
	const words = process.argv.slice(2);
	if (words[0] === taskWord && process.connected) return runTask();
	const called = words.find((word) => Object.hasOwn(modules, word));
	const loaded = await modules[called ?? ""]?.();
	for (const [name, description] of Object.entries(descriptions)) {
		// Only the list of all commands, and suggestions, need the others.
		if (loaded !== undefined && name !== called) continue;
		const command = loaded?.command ?? new Command(name);
		program.addCommand(command.description(description));
	}
	// `history restore` has its own --version.
	if (called === "history") program.enablePositionalOptions();
	explainMistakes(program);

	let status = 0;
	try {
		await program.parseAsync(withoutHelp(words), { from: "user" });
	} catch (error) {
		status = report(error);
	}
	// Exits at once: an open connection must not keep a finished command alive.
	process.exit(process.exitCode ?? status);
}

/** For a service that has started this process. */
async function runTask(): Promise<never> {
	const { doTask } = await import("./task.ts");
	await doTask();
	process.exit();
}

/** `help pets add` and `pets help add` as `pets add --help`. An unknown command then fails as it does without `help`. */
function withoutHelp(words: readonly string[]): readonly string[] {
	const path: string[] = [];
	let command: Command | undefined = program;
	let isAsked = false;
	for (const word of words) {
		if (!command?.commands.length) break;
		if (word === "help") {
			isAsked = true;
			continue;
		}
		path.push(word);
		command = command.commands.find((one) => one.name() === word);
	}
	if (!isAsked) return words;
	return command === undefined ? path : [...path, "--help"];
}

function report(error: unknown): number {
	// Commander has already printed its message or the help.
	if (error instanceof CommanderError)
		return error.exitCode === 0 ? 0 : usageStatus;
	const sentence = toSentence(error);
	if (sentence === undefined) console.error(error);
	else say(`petstore: ${sentence}`);
	if (error instanceof OperatorError) return error.exitStatus;
	const isUsage =
		error instanceof Failure && /^invalid_(parameter|body)$/.test(error.code);
	return isUsage ? usageStatus : 1;
}

/** Must be called after all commands were added. */
function explainMistakes(program: Command): void {
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

function addHints(command: Command, path: string): void {
	for (const inner of command.commands) {
		inner.copyInheritedSettings(command);
		addHints(inner, `${path}${inner.name()} `);
	}
	command.showHelpAfterError(
		`Run "petstore ${path}--help" to see its arguments and flags.`,
	);
}
