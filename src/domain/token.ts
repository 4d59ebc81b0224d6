// The token of a session or of a sign-in link: 256 random bits. The store has only its hash.
import { sha256 } from "./hash.ts";

export function generateToken(): { token: string; hash: string } {
	const bytes = crypto.getRandomValues(new Uint8Array(32));
	const token = Buffer.from(bytes).toString("base64url");
	return { token, hash: hashToken(token) };
}

/** Other texts need no lookup. */
export function isToken(text: string): boolean {
	return /^[\w-]{43}$/.test(text);
}

export function hashToken(token: string): string {
	return sha256(token, "hex");
}
