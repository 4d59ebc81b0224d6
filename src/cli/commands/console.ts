// `petstore console`: makes a link that signs in to the console once, and opens it; or ends all sessions of the console.
import { Command, Option } from "@commander-js/extra-typings";
import { errorStatus, OperatorError } from "../../domain/errors.ts";
import { isLoopback, toUrl } from "../../http/address.ts";
import { linkMinutes, makeConsoleLink } from "../console-link.ts";
import { ignoreProxies, withVariables } from "../environment.ts";
import {
	databaseOption,
	operatorAddressOption,
	portOption,
	toBaseUrl,
	toName,
} from "../flags.ts";
import { openBrowser } from "../terminal/browser.ts";
import { printOrFail, say } from "../terminal/print.ts";
import { withStore } from "../with-store.ts";

/** Timeout of the check that the service answers. Someone waits for the prompt. */
const linkProbeMs = 1_000;

/** `--tls-cert` has the variable of "serve". */
export const command = withVariables(new Command("console"))
	.addHelpText(
		"after",
		`
The link is valid for ${linkMinutes} minutes. On a terminal the command opens it in a
browser. Other users of this machine can then read it in the list of processes:
give --no-open if you do not trust them.

Examples:
  petstore console
  petstore console --port 9000
  petstore console --as Ada
  petstore console --url https://pets.example --no-open
  petstore console --end-sessions`,
	)
	.addOption(
		new Option(
			"--url <url>",
			"address of the running service; by default this machine",
		)
			.env("PETSTORE_BASE_URL")
			.argParser(toBaseUrl),
	)
	.addOption(portOption("port of the service on this machine"))
	.addOption(operatorAddressOption)
	.option(
		"--tls-cert <file>",
		"set if the service uses TLS; the file is not read",
	)
	.option(
		"--as <name>",
		"person who gets the link, for the history and the console",
		toName,
	)
	.option("--no-open", "print the link without opening a browser")
	.addOption(
		new Option(
			"--end-sessions",
			"end all console sessions and unused links, and make no link",
		).conflicts("as"),
	)
	.addOption(databaseOption);

type ConsoleFlags = ReturnType<typeof command.opts>;

command.action(async (flags) => {
	if (flags.database.isInMemory)
		throw new OperatorError(
			"An in-memory database belongs to its process; name the database of the service with --database.",
			2,
		);
	await withStore(flags, async ({ sessions }) => {
		if (flags.endSessions) {
			await sessions.deleteAll();
			return say(
				"All console sessions end within a second. Unused links are no longer valid.",
			);
		}
		const url = toServiceUrl(flags);
		const link = await makeConsoleLink(sessions, url, flags.as);
		printOrFail(`${link}\n`);
		say(`The link signs in once, within ${linkMinutes} minutes.`);
		const problem = await findProblem(url);
		if (problem !== undefined)
			say(
				`${problem} at ${url}; start the service there, or give --port, --operator-address, --tls-cert or --url.`,
			);
		else if (flags.open && process.stdout.isTTY) openBrowser(link);
	});
});

function toServiceUrl(flags: ConsoleFlags): string {
	const { url, port, operatorAddress, tlsCert } = flags;
	// PETSTORE_BASE_URL is for clients.
	const isTyped = command.getOptionValueSource("url") === "cli";
	if (url && (isTyped || operatorAddress === undefined)) return url;
	const address = operatorAddress ?? { host: "127.0.0.1", port };
	return toUrl({ host: address.host, tls: tlsCert }, address.port);
}

/** Checks the console before its link is opened. Returns the start of a sentence about the problem; undefined if it answers. */
async function findProblem(url: string): Promise<string | undefined> {
	if (isLoopback(new URL(url).hostname)) ignoreProxies();
	try {
		const reply = await fetch(`${url}/operator/v1/sessions/current`, {
			signal: AbortSignal.timeout(linkProbeMs),
			// Nothing secret is sent, and the browser checks the certificate itself.
			tls: { rejectUnauthorized: false },
		});
		const text = await reply.text();
		// Other errors may pass, or come from a proxy. Then the browser shows the reason.
		const isOurs = reply.ok
			? text.startsWith('{"signedIn":')
			: reply.status !== errorStatus.not_found;
		return isOurs ? undefined : "No console answers";
	} catch {
		return "Nothing answers";
	}
}
