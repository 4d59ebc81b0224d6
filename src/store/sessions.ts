// The sessions of people who have signed in to the console, and the links with which they sign in once. The store has only hashes.
import { includesScope } from "../contract/api-key.ts";
import { sessionIdleMs, sessionLifetimeMs, signInLinkMs } from "../limits.ts";
import { isInFuture } from "./future.ts";
import { type FoundKey, toSecretEnd } from "./keys.ts";

export interface Sessions {
	readonly add: (session: NewSession) => Promise<void>;
	/** Also one that has ended; `toSessionEnd` tells. */
	readonly find: (hash: string) => Promise<Session | undefined>;
	/** Sets the time of last use, unless it was set less than `keyUseIntervalMs` before. */
	readonly recordUse: (hash: string, at: number) => Promise<void>;
	readonly delete: (hash: string) => Promise<void>;
	/** Deletes all sessions and all links. */
	readonly deleteAll: () => Promise<void>;
	/** Deletes some of the sessions and links that have ended by their age, or were made at a time that is still to come. */
	readonly deleteExpired: (at: number) => Promise<void>;
	readonly addLink: (link: SignInLink) => Promise<void>;
	/** Returns whether the link was valid. After that it is not, on any process. */
	readonly useLink: (hash: string, at: number) => Promise<boolean>;
}

export interface NewSession {
	readonly hash: string;
	/** The hash of the secret that made it; undefined for a link, or for a key that is not stored. */
	readonly secretHash: string | undefined;
	readonly createdAt: number;
}

export interface Session extends NewSession {
	readonly lastUsedAt: number;
	/** The key of the secret, as the secret finds it; undefined also if that secret is not there any more. */
	readonly key: FoundKey | undefined;
}

export interface SignInLink {
	readonly hash: string;
	readonly expiresAt: number;
}

/** When a session ends if it is not used again. It is 0 if it has ended by a clock that was wrong, or by its key. */
export function toSessionEnd(session: Session, now: number): number {
	const { createdAt, lastUsedAt, secretHash, key } = session;
	if (isInFuture(createdAt, now) || isInFuture(lastUsedAt, now)) return 0;
	const byAge = Math.min(
		createdAt + sessionLifetimeMs,
		lastUsedAt + sessionIdleMs,
	);
	if (secretHash === undefined) return byAge;
	const isAllowed =
		key !== undefined &&
		key.revokedAt === undefined &&
		includesScope(key.scope, "operator");
	return isAllowed
		? Math.min(byAge, key.expiresAt ?? byAge, toSecretEnd(key, now) ?? byAge)
		: 0;
}

/** A link that would be valid for longer than links are was made while a clock was wrong. */
export function isValidLink(expiresAt: number, now: number): boolean {
	return expiresAt > now && !isInFuture(expiresAt - signInLinkMs, now);
}
