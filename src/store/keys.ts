// The API keys: everything about them but their secrets, of which the store has the hashes.

import { maxOverlapSeconds } from "../contract/operator/keys/schemas.ts";
import type { KeyScope } from "../domain/key-scope.ts";
import { canForget } from "../domain/key-scope.ts";

/**
 * How far the clocks of machines may differ. What was made later than this after now was made while a clock was wrong, and has ended: it
 * would be valid until that time comes, which may take years.
 */
export const maxClockSkewMs = 60_000;

export interface Keys {
	readonly add: (key: NewKey) => Promise<Key>;
	/** In the order of their ids; all of them if no page is given. */
	readonly list: (page?: KeyPage) => Promise<readonly Key[]>;
	/** The key that has a secret with this hash. */
	readonly find: (hash: string) => Promise<FoundKey | undefined>;
	/** Returns the key with its new name, or undefined if there is none with this id. */
	readonly rename: (id: number, name: string) => Promise<Key | undefined>;
	/** Returns the key as it was before, or undefined if there is none with this id. */
	readonly revoke: (id: number, at: number) => Promise<Key | undefined>;
	/** Deletes a key that was revoked long ago, with its secrets. Its id is never assigned again. */
	readonly forget: (id: number, at: number) => Promise<Forgetting>;
	/** Gives the key another secret. Those that it has end after the overlap, unless they end sooner. */
	readonly rotate: (id: number, secret: NewSecret) => Promise<Rotation>;
	/** Sets the time of last use, unless it was set less than `keyUseIntervalMs` before. One that is still to come is replaced. */
	readonly recordUse: (id: number, at: number) => Promise<void>;
}

export interface KeyPage {
	/** Only keys with greater ids. */
	readonly after: number;
	readonly limit: number;
}

export const allKeys: KeyPage = { after: 0, limit: Number.MAX_SAFE_INTEGER };

export type Forgetting = "forgotten" | ForgettingRefusal;

/** Why a key is not forgotten. */
export type ForgettingRefusal = "missing" | "valid" | "recent";

export interface NewKey {
	readonly name: string;
	/** Of the first secret. Idempotency-Keys and the rate limit are kept under it, also after the key got another secret. */
	readonly hash: string;
	/** Of the newest secret. */
	readonly prefix: string;
	readonly scope: KeyScope;
	readonly createdAt: number;
	readonly expiresAt: number | undefined;
}

export interface Key extends NewKey {
	readonly id: number;
	readonly revokedAt: number | undefined;
	readonly lastUsedAt: number | undefined;
}

/** A key as one of its secrets finds it. */
export interface FoundKey extends Key {
	/** When this secret ends; undefined if it was not replaced. */
	readonly secretExpiresAt: number | undefined;
}

export interface NewSecret {
	readonly hash: string;
	readonly prefix: string;
	readonly at: number;
	/** How long the secrets that it replaces stay valid. */
	readonly overlapMs: number;
}

export type Rotation =
	| { readonly outcome: "rotated"; readonly key: Key }
	| { readonly outcome: RotationRefusal };

/** Why a key gets no other secret. */
export type RotationRefusal = "missing" | "revoked" | "expired";

/** A key that cannot be used any more gets no other secret. */
export function findRotationRefusal(
	key: Key | undefined,
	at: number,
): RotationRefusal | undefined {
	if (key === undefined) return "missing";
	if (key.revokedAt !== undefined) return "revoked";
	return key.expiresAt !== undefined && key.expiresAt <= at
		? "expired"
		: undefined;
}

/** A key that was revoked by mistake, or a moment ago, can still be looked at. */
export function findForgettingRefusal(
	key: Key | undefined,
	at: number,
): ForgettingRefusal | undefined {
	if (key === undefined) return "missing";
	if (key.revokedAt === undefined) return "valid";
	return canForget(key, at) ? undefined : "recent";
}

/** When the secret that found the key ends. One that would be valid for longer than an overlap was replaced while a clock was wrong. */
export function toSecretEnd(
	{ secretExpiresAt }: FoundKey,
	now: number,
): number | undefined {
	if (secretExpiresAt === undefined) return undefined;
	const replacedAt = secretExpiresAt - maxOverlapSeconds * 1_000;
	return isInFuture(replacedAt, now) ? 0 : secretExpiresAt;
}

/** A time that is still to come was recorded while the clock was wrong. */
export function isInFuture(time: number, now: number): boolean {
	return time > now + maxClockSkewMs;
}
