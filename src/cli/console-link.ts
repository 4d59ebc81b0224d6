// Makes a sign-in link to the console.
import { generateToken } from "../domain/token.ts";
import { type Sessions, signInLinkMs } from "../store/sessions.ts";

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
