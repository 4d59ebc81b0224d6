// The Authorization header to the identity of its caller.
import { timingSafeEqual } from "node:crypto";
import { type Awaitable, after } from "./awaitable.ts";
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
) => Awaitable<Identity>;

export function createAuthenticate(options: {
	store: Store;
	/** A key that is valid beside the stored ones. */
	apiKey: string | undefined;
	/** Told when a key's time of last use could not be written, which fails no request. */
	onUnrecordedUse: (error: unknown) => void;
}): Authenticate {
	const { store, onUnrecordedUse } = options;
	const apiKey = toApiKey(options.apiKey);
	// By hash. Only valid keys stay in it, so strangers cannot fill it.
	const remembered = new Map<string, Remembered>();

	/** As the store had it at most a moment ago, by a clock that nobody can set back. */
	function findKey(text: string, keyHash: string, now: number): Awaitable<Key> {
		const known = remembered.get(keyHash);
		const readAt = performance.now();
		if (known !== undefined && readAt - known.readAt < rememberMs)
			return known.key;
		// Every stored key has our form, so a mistyped one costs no lookup.
		if (!isKey(text)) throw refuse("The API key is not valid.");
		const key = readKey(keyHash, now);
		const asked: Remembered = { key, readAt };
		remembered.set(keyHash, asked);
		key.then(
			(found) => {
				asked.key = found;
			},
			() => {
				if (remembered.get(keyHash) === asked) remembered.delete(keyHash);
			},
		);
		return key;
	}

	async function readKey(keyHash: string, now: number): Promise<Key> {
		const key = requireUsable(await store.findKey(keyHash), now);
		if (now - (key.lastUsedAt ?? 0) >= keyUseIntervalMs)
			store.recordKeyUse(key.id, now).catch(onUnrecordedUse);
		return key;
	}

	return (authorization, now) => {
		const text = bearerToken(authorization);
		const keyHash = hashKey(text);
		if (apiKey?.hasHash(keyHash)) return apiKey.identity;
		return after(findKey(text, keyHash, now), toIdentity, { keyHash, now });
	};
}

function toIdentity(
	key: Key,
	{ keyHash, now }: { keyHash: string; now: number },
): Identity {
	const { id, scope } = requireUsable(key, now);
	return { keyHash, keyId: id, scope };
}

interface Remembered {
	key: Awaitable<Key>;
	readonly readAt: number;
}

/** How long a stored key is trusted without asking again: well below the second within which a revocation must hold. */
const rememberMs = 500;

function toApiKey(
	text: string | undefined,
): { hasHash: (keyHash: string) => boolean; identity: Identity } | undefined {
	if (text === undefined) return undefined;
	const keyHash = hashKey(text);
	const own = Buffer.from(keyHash);
	// One for all: a buffer of its own would cost a request more than the comparison.
	const given = Buffer.alloc(own.length);
	return {
		hasHash(keyHash) {
			given.write(keyHash);
			return timingSafeEqual(given, own);
		},
		identity: { keyHash, keyId: "API_KEY", scope: "read-write" },
	};
}

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
	if (authorization !== null && /^bearer +[!-~]+$/i.test(authorization))
		return authorization.slice(authorization.lastIndexOf(" ") + 1);
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
