// The API keys: everything about them but their secrets, of which the store has the hashes.
import type { KeyScope } from "../contract/key-scope.ts";
import { maxOverlapSeconds } from "../contract/operator/keys/schemas.ts";
import { isInFuture } from "./future.ts";

export interface Keys {
	readonly add: (key: NewKey) => Promise<Key>;
	readonly list: () => Promise<readonly Key[]>;
	/** The key that has a secret with this hash. */
	readonly find: (hash: string) => Promise<FoundKey | undefined>;
	/** Returns the key with its new name, or undefined if there is none with this id. */
	readonly rename: (id: number, name: string) => Promise<Key | undefined>;
	/** Returns the key as it was before, or undefined if there is none with this id. */
	readonly revoke: (id: number, at: number) => Promise<Key | undefined>;
	/** Gives the key another secret. Those that it has end after the overlap, unless they end sooner. */
	readonly rotate: (id: number, secret: NewSecret) => Promise<Rotation>;
	/** Sets the time of last use, unless it was set less than `keyUseIntervalMs` before. One that is still to come is replaced. */
	readonly recordUse: (id: number, at: number) => Promise<void>;
}

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

/** A secret as an archive has it. */
export interface StoredSecret {
	readonly hash: string;
	readonly keyId: number;
	readonly expiresAt: number | undefined;
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

/** When the secret that found the key ends. One that would be valid for longer than an overlap was replaced while a clock was wrong. */
export function toSecretEnd(
	{ secretExpiresAt }: FoundKey,
	now: number,
): number | undefined {
	if (secretExpiresAt === undefined) return undefined;
	const replacedAt = secretExpiresAt - maxOverlapSeconds * 1_000;
	return isInFuture(replacedAt, now) ? 0 : secretExpiresAt;
}
