// How people get in: a sign-in link to the console, and the first key of a new database.
import { generateToken } from "../domain/access/secret.ts";
import { makeKey } from "../operator/keys.ts";
import type { Petstore } from "../petstore.ts";
import { isTerminal } from "../program.ts";
import { type Sessions, signInLinkMs } from "../store/access/sessions.ts";
import type { DatabaseUrl } from "../store/database/database-url.ts";
import { print } from "./terminal/print.ts";

/**
 * The link signs in once, without a key: whoever can open the database is an operator. The token is in the URL fragment, which browsers do
 * not send, so no log or proxy sees it.
 */
export async function makeConsoleLink(
	sessions: Sessions,
	url: string,
	/** Name of the person who gets it. */
	name?: string,
): Promise<string> {
	const { token, hash } = generateToken();
	const expiresAt = Date.now() + signInLinkMs;
	await sessions.addLink({ hash, expiresAt, name });
	return `${url}/console#link=${token}`;
}

/** How long the link is valid. */
export const linkMinutes = signInLinkMs / 60_000;

/** Call it when the service listens, so that every key made is shown. A shared database gets none: its administrators create keys. */
export async function showFirstKey(
	{ url, operatorUrl, store }: Petstore,
	database: DatabaseUrl,
): Promise<void> {
	if (database.path === undefined)
		return print(
			`\nNo API key exists yet. Make one with "petstore keys create --name NAME" on the same database.\n\n`,
		);
	// The link is only for a terminal: elsewhere stdout may be a log that others can read.
	const console = isTerminal(1)
		? `Open the console, within ${linkMinutes} minutes:\n\n${await makeConsoleLink(store.sessions, operatorUrl)}`
		: `The console is at ${operatorUrl}/console, which shows how to sign in.`;
	// The certificate may be for another name than that of this machine.
	const flags = url.startsWith("https:") ? "--insecure " : "";
	const { key } = await makeKey(store.keys, {
		name: "first key",
		scope: "read-write",
		expiresAt: undefined,
	});
	print(
		`
Your first API key (it lists and adds animals), shown only this once:

  ${key}

Try it:

  curl ${flags}-H "Authorization: Bearer ${key}" ${url}/v1/pets

${console}

`,
	);
}
