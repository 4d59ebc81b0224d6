// The Authorization header to the identity of its caller.
import { timingSafeEqual } from "node:crypto";
import { type KeyScope, keyUseIntervalMs } from "./contract.ts";
import { Failure } from "./errors.ts";
import { hashKey, isKey } from "./key.ts";
import type { Key, Store } from "./store/store.ts";

export interface Identity {
	/** Whose Idempotency-Keys these are; also tells the keys apart in the log. */
	readonly keyHash: string;
	readonly keyId: number | "API_KEY";
	readonly scope: KeyScope;
}

/** Refuses with `unauthenticated` whoever has no valid key. */
export type Authenticate = (
	authorization: string | null,
	now: number,
) => Promise<Identity>;

export function createAuthenticate(options: {
	store: Store;
	/** A key that is valid beside the stored ones. */
	apiKey: string | undefined;
	/** Told when a key's time of last use could not be written, which fails no request. */
	onUnrecordedUse: (error: unknown) => void;
}): Authenticate {
	const { store, apiKey, onUnrecordedUse } = options;
	const apiKeyHash = apiKey === undefined ? undefined : hashKey(apiKey);
	// Only valid keys stay in it, so strangers cannot fill it.
	const remembered = new Map<string, { key: Promise<Key>; readAt: number }>();

	/** As the store had it at most a moment ago, by a clock that nobody can set back. */
	function findKey(keyHash: string, now: number): Promise<Key> {
		const known = remembered.get(keyHash);
		const readAt = performance.now();
		if (known !== undefined && readAt - known.readAt < rememberMs)
			return known.key;
		const key = readKey(keyHash, now);
		remembered.set(keyHash, { key, readAt });
		key.catch(() => {
			if (remembered.get(keyHash)?.key === key) remembered.delete(keyHash);
		});
		return key;
	}

	async function readKey(keyHash: string, now: number): Promise<Key> {
		const key = requireUsable(await store.findKey(keyHash), now);
		if (now - (key.lastUsedAt ?? 0) >= keyUseIntervalMs)
			store.recordKeyUse(key.id, now).catch(onUnrecordedUse);
		return key;
	}

	return async (authorization, now) => {
		const key = bearerToken(authorization);
		const keyHash = hashKey(key);
		if (apiKeyHash !== undefined && isEqual(keyHash, apiKeyHash))
			return { keyHash, keyId: "API_KEY", scope: "read-write" };
		// Every stored key has our form, so a mistyped one costs no lookup.
		if (!isKey(key)) throw refuse("The API key is not valid.");
		const { id, scope } = requireUsable(await findKey(keyHash, now), now);
		return { keyHash, keyId: id, scope };
	};
}

/** How long a stored key is trusted without asking again: well below the second within which a revocation must hold. */
const rememberMs = 500;

function requireUsable(key: Key | undefined, now: number): Key {
	if (key === undefined) throw refuse("The API key is not valid.");
	const { revokedAt, expiresAt } = key;
	if (revokedAt !== undefined) throw refuse("The API key was revoked.");
	if (expiresAt !== undefined && expiresAt <= now)
		throw refuse("The API key has expired.");
	return key;
}

const challenge = 'Bearer realm="petstore"';

function bearerToken(authorization: string | null): string {
	// Two Authorization lines arrive joined by a comma and a space, which no single token has.
	const [, token] = /^bearer +([!-~]+)$/i.exec(authorization ?? "") ?? [];
	if (token !== undefined) return token;
	throw new Failure(
		"unauthenticated",
		'An API key is required, sent as "Authorization: Bearer <API_KEY>".',
		{ headers: { "WWW-Authenticate": challenge } },
	);
}

function refuse(message: string): Failure {
	return new Failure("unauthenticated", message, {
		headers: { "WWW-Authenticate": `${challenge}, error="invalid_token"` },
	});
}

/** In constant time, though what is compared are hashes. */
function isEqual(left: string, right: string): boolean {
	return timingSafeEqual(Buffer.from(left), Buffer.from(right));
}
