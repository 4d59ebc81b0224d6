// The secret of a session, or of a link to sign in: 256 random bits. Only its hash is ever stored.
import { randomBytes } from "node:crypto";
import { sha256 } from "./sha256.ts";

export interface GeneratedToken {
	readonly token: string;
	readonly hash: string;
}

export function generateToken(): GeneratedToken {
	const token = randomBytes(32).toString("base64url");
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
