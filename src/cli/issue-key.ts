// Makes an API key, or a sign-in link to the console.
import { generateKey } from "../domain/api-key.ts";
import { generateToken } from "../domain/token.ts";
import type { Keys, NewKey } from "../store/keys.ts";
import { type Sessions, signInLinkMs } from "../store/sessions.ts";
import { printOrFail } from "./terminal/print.ts";

/** Prints the key. If that fails, revokes it. */
export async function issueKey(
	keys: Keys,
	options: Pick<NewKey, "name" | "scope" | "expiresAt">,
	toText: (made: { id: number; key: string }) => string,
): Promise<number> {
	const { key, hash, prefix } = generateKey();
	const createdAt = Date.now();
	const { id } = await keys.add({ ...options, hash, prefix, createdAt });
	try {
		printOrFail(toText({ id, key }));
	} catch (error) {
		await keys.revoke(id, Date.now());
		throw error;
	}
	return id;
}

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
