// `petstore console`: makes a link that signs in to the console once, and opens it; or ends all sessions of the console.
import type { Command } from "commander";
import { OperatorError } from "../../contract/errors.ts";
import { toUrl } from "../../http/address.ts";
import { isInMemory } from "../../store/open.ts";
import type { Store } from "../../store/store.ts";
import { openBrowser } from "../browser.ts";
import { readPlatformPort } from "../environment.ts";
import type { HostAndPort } from "../options.ts";
import { print, say } from "../print.ts";
import { withStore } from "../with-store.ts";
import { findProblem } from "./answer.ts";
import { linkMinutes, makeConsoleLink } from "./link.ts";
import { type ConsoleFlags, consoleOptions, consolePort } from "./options.ts";

export function addConsole(program: Command): void {
	const command = program
		.command("console")
		.description("make a link that signs in to the console once, and open it")
		.addHelpText(
			"after",
			`
The link is valid for ${linkMinutes} minutes. On a terminal it is opened in a browser; other
users of this machine may see it in the list of processes meanwhile, so give
--no-open where you do not trust them.

Examples:
  petstore console
  petstore console --port 9000
  petstore console --url https://pets.example --no-open
  petstore console --end-sessions`,
		)
		.action(() => {
			const { url, ...flags } = command.optsWithGlobals<ConsoleFlags>();
			const isTyped = command.getOptionValueSource("url") === "cli";
			// The base URL of the variable is for clients.
			const isForClients = flags.operatorAddress !== undefined && !isTyped;
			return runConsole(isForClients || !url ? flags : { ...flags, url });
		});
	readPlatformPort(consolePort);
	for (const option of consoleOptions) command.addOption(option);
}

async function runConsole(flags: ConsoleFlags): Promise<void> {
	const { database, endSessions } = flags;
	if (isInMemory(database))
		throw new OperatorError(
			"A database in memory belongs to its process; name the database of the service with --database.",
			2,
		);
	await withStore(flags, { create: false }, (store) =>
		endSessions ? endAll(store) : showLink(store, flags),
	);
}

function toOwnUrl(operators: HostAndPort | undefined, port: number): string {
	return operators === undefined
		? `http://127.0.0.1:${port}`
		: toUrl({ host: operators.host }, operators.port);
}

async function endAll({ sessions }: Store): Promise<void> {
	await sessions.deleteAll();
	say(
		"All sessions of the console have ended, within a second on every process, and no link is valid any more.",
	);
}

async function showLink(
	{ sessions }: Store,
	flags: ConsoleFlags,
): Promise<void> {
	const {
		port,
		operatorAddress,
		url = toOwnUrl(operatorAddress, port),
	} = flags;
	const link = await makeConsoleLink(sessions, url);
	print(`${link}\n`);
	say(`The link signs in once, within ${linkMinutes} minutes.`);
	const problem = await findProblem(url);
	if (problem !== undefined)
		return say(
			`${problem} at ${url}; start the service there, or give --port, --operator-address or --url.`,
		);
	if (flags.open && process.stdout.isTTY) openBrowser(link);
}
