// Makes a link that signs in to the console once. Whoever can open the database is an operator.
import { generateToken } from "../../contract/token.ts";
import { signInLinkMs } from "../../limits.ts";
import type { Sessions } from "../../store/sessions.ts";

/** The token is in the fragment of the address, which browsers do not send, so no log and no proxy sees it. */
export async function makeConsoleLink(
	sessions: Sessions,
	url: string,
): Promise<string> {
	const { token, hash } = generateToken();
	await sessions.addLink({ hash, expiresAt: Date.now() + signInLinkMs });
	return `${url}/console#link=${token}`;
}

/** How long it is valid, for sentences. */
export const linkMinutes = signInLinkMs / 60_000;
