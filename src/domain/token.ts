// The secret of a session, or of a link to sign in: 256 random bits. Only its hash is ever stored.
import { sha256 } from "./hash.ts";

export function generateToken(): { token: string; hash: string } {
	const bytes = crypto.getRandomValues(new Uint8Array(32));
	const token = Buffer.from(bytes).toString("base64url");
	// The log masks long words that have a letter and a digit. One token in 1,500 has no digit.
	if (!/\d/.test(token) || !/[a-z]/i.test(token)) return generateToken();
	return { token, hash: hashToken(token) };
}

/** Whether a text has the form of our tokens. Any other needs no lookup. */
export function isToken(text: string): boolean {
	return /^[\w-]{43}$/.test(text);
}

export function hashToken(token: string): string {
	return sha256(token, "hex");
}
