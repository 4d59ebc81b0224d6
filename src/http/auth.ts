// The Authorization header to the identity of its caller.
import { type Awaitable, after } from "../async/awaitable.ts";
import { hashKey, isKey } from "../contract/api-key.ts";
import { Failure } from "../contract/errors.ts";
import { keyCacheMs, keyUseIntervalMs } from "../limits.ts";
import type { Key, Keys } from "../store/keys.ts";
import type { Identity, Surface } from "./surface.ts";

export function createAuthenticate(options: {
	keys: Keys;
	/** A key that is valid besides the stored ones. */
	apiKey: string | undefined;
	/** Called when the last use of a key could not be recorded, which fails no request. */
	onUnrecordedUse: (error: unknown) => void;
	clock?: Clock;
}): Surface["authenticate"] {
	const { keys, onUnrecordedUse, clock = Date.now } = options;
	const known =
		options.apiKey === undefined ? undefined : toKnown(options.apiKey);
	// By the hash of the key, so that the time of a lookup says nothing about the text of a key. Only valid keys stay in it,
	// so callers without one cannot fill it.
	const cache = new Map<string, CachedKey>();
	/** When the use of a key was last recorded or tried to be, by its id. */
	const triedAt = new Map<number, number>();

	/** The key as the store had it at most `keyCacheMs` ago, by a clock that cannot be set back. */
	function findKey(text: string, hash: string): Awaitable<Key> {
		const now = performance.now();
		const cached = cache.get(hash);
		if (cached !== undefined && now - cached.readAt < keyCacheMs)
			return cached.key;
		// Every stored key has our form, so a mistyped one costs no lookup.
		if (!isKey(text)) throw refuse("The API key is not valid.");
		const key = readKey(hash);
		const entry: CachedKey = { key, readAt: now };
		cache.set(hash, entry);
		key.then(
			(found) => {
				entry.key = found;
			},
			() => {
				if (cache.get(hash) === entry) cache.delete(hash);
			},
		);
		return key;
	}

	async function readKey(hash: string): Promise<Key> {
		const key = requireUsable(await keys.find(hash), clock);
		recordUse(key, clock());
		return key;
	}

	/** A use that could not be recorded is not tried again with every lookup. */
	function recordUse({ id, lastUsedAt = 0 }: Key, now: number): void {
		const recordedAt = Math.max(lastUsedAt, triedAt.get(id) ?? 0);
		if (now - recordedAt < keyUseIntervalMs) return;
		triedAt.set(id, now);
		keys.recordUse(id, now).catch(onUnrecordedUse);
	}

	return (request) => {
		const text = bearerToken(request.headers.get("authorization"));
		const hash = hashKey(text);
		if (hash === known?.keyHash) return known;
		return after(findKey(text, hash), toIdentity, clock);
	};
}

function toIdentity(key: Key, clock: Clock): Identity {
	const { id, hash, scope } = requireUsable(key, clock);
	return { keyHash: hash, keyId: id, scope };
}

/** In milliseconds since 1970. */
type Clock = () => number;

interface CachedKey {
	key: Awaitable<Key>;
	readonly readAt: number;
}

function toKnown(apiKey: string): Identity {
	return { keyHash: hashKey(apiKey), keyId: "API_KEY", scope: "read-write" };
}

function requireUsable(key: Key | undefined, clock: Clock): Key {
	if (key === undefined) throw refuse("The API key is not valid.");
	const { revokedAt, expiresAt } = key;
	if (revokedAt !== undefined) throw refuse("The API key was revoked.");
	if (expiresAt !== undefined && expiresAt <= clock())
		throw refuse("The API key has expired.");
	return key;
}

const challenge = 'Bearer realm="petstore"';

function bearerToken(authorization: string | null): string {
	// Two Authorization lines arrive joined by a comma and a space, which no single token contains.
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
