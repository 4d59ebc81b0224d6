// Finds out who is calling from the Authorization header.
import { type Awaitable, after } from "../async/awaitable.ts";
import { hashKey, isKey, type KeyScope } from "../contract/api-key.ts";
import { Failure } from "../contract/errors.ts";
import { toLookupFailure } from "../contract/retry.ts";
import { keyCacheMs, keyUseIntervalMs } from "../limits.ts";
import type { Key, Keys } from "../store/keys.ts";
import { type Identity, RefusedKey, type Surface } from "./surface.ts";

export function createAuthenticate(options: {
	keys: Keys;
	fixedKeys: readonly FixedKey[];
	/** Called when the last use of a key could not be recorded. The request is answered all the same. */
	onUnrecordedUse: (error: unknown) => void;
	clock?: Clock;
}): Surface["authenticate"] {
	const { keys, onUnrecordedUse, clock = Date.now } = options;
	const fixed = new Map(options.fixedKeys.map(toFixedEntry));
	// By the hash of the key, so that the time of a lookup says nothing about the text of a key. Only valid keys stay in it,
	// so callers without one cannot fill it.
	const cache = new Map<string, CachedKey>();
	/** When the last attempt to record the use of a key was made, by its id. */
	const triedAt = new Map<number, number>();

	function authenticate(request: Request): Awaitable<Identity> {
		const text = bearerToken(request.headers.get("authorization"));
		const hash = hashKey(text);
		const identity = fixed.get(hash);
		if (identity !== undefined) return identity;
		const now = performance.now();
		const cached = cache.get(hash);
		if (cached !== undefined && now - cached.readAt < keyCacheMs)
			return after(cached.caller, toIdentity, clock);
		// Every stored key has our form, so a mistyped one costs no lookup.
		if (!isKey(text)) throw refuse("The API key is not valid.");
		return after(readCaller(hash, now), toIdentity, clock);
	}

	/** Callers that come before the store has answered share the lookup. */
	function readCaller(hash: string, readAt: number): Promise<Caller> {
		const reading = findCaller(hash);
		const entry: CachedKey = { caller: reading, readAt };
		cache.set(hash, entry);
		reading.then(
			(caller) => {
				entry.caller = caller;
			},
			() => {
				if (cache.get(hash) === entry) cache.delete(hash);
			},
		);
		return reading;
	}

	async function findCaller(hash: string): Promise<Caller> {
		const key = await keys.find(hash).catch(notLookedUp);
		if (key === undefined) throw refuse("The API key is not valid.");
		const { id: keyId, scope, expiresAt } = key;
		if (key.revokedAt !== undefined)
			throw refuse("The API key was revoked.", keyId);
		const caller = { identity: { keyHash: hash, keyId, scope }, expiresAt };
		toIdentity(caller, clock);
		recordUse(key, clock());
		return caller;
	}

	/** A use that could not be recorded is not tried again with every lookup. */
	function recordUse({ id, lastUsedAt = 0 }: Key, now: number): void {
		const recordedAt = Math.max(lastUsedAt, triedAt.get(id) ?? 0);
		if (now - recordedAt < keyUseIntervalMs) return;
		triedAt.set(id, now);
		keys.recordUse(id, now).catch(onUnrecordedUse);
	}

	return authenticate;
}

/** A key that is valid as long as the service runs, besides the stored ones. */
export interface FixedKey {
	readonly key: string;
	/** What the log shows in its place. */
	readonly id: string;
	readonly scope: KeyScope;
}

/** In milliseconds since 1970. */
type Clock = () => number;

interface Caller {
	readonly identity: Identity;
	readonly expiresAt: number | undefined;
}

interface CachedKey {
	caller: Awaitable<Caller>;
	/** By a clock that cannot be set back. */
	readonly readAt: number;
}

/** Also checks a cached key, which may have expired since it was read. */
function toIdentity({ identity, expiresAt }: Caller, clock: Clock): Identity {
	if (expiresAt !== undefined && expiresAt <= clock())
		throw refuse("The API key has expired.", identity.keyId);
	return identity;
}

function toFixedEntry({ key, id, scope }: FixedKey): [string, Identity] {
	const keyHash = hashKey(key);
	return [keyHash, { keyHash, keyId: id, scope }];
}

export const challenge = 'Bearer realm="petstore"';

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

function notLookedUp(error: unknown): never {
	throw toLookupFailure(error);
}

function refuse(message: string, keyId?: Identity["keyId"]): Failure {
	return new RefusedKey(message, {
		headers: { "WWW-Authenticate": `${challenge}, error="invalid_token"` },
		keyId,
	});
}
