// Identifies the caller by the key in the Authorization header.
import { type Awaitable, after } from "../async/awaitable.ts";
import { hashKey, isKey } from "../domain/api-key.ts";
import { Failure } from "../domain/errors.ts";
import type { KeyScope } from "../domain/key-scope.ts";
import { type Identity, RefusedKey, type Surface } from "../http/surface.ts";
import type { Keys } from "../store/keys.ts";
import { createLookupCache, createSecretMap } from "./lookup-cache.ts";
import { createUseRecord } from "./use-record.ts";

/** For a missing key, then for an invalid one (RFC 6750). */
export const challenge = { "WWW-Authenticate": 'Bearer realm="petstore"' };
const invalidToken = {
	"WWW-Authenticate": 'Bearer realm="petstore", error="invalid_token"',
};

const missingKey = new Failure(
	"unauthenticated",
	'An API key is required, sent as "Authorization: Bearer <API_KEY>".',
	{ headers: challenge, isShared: true },
);

const invalidKey = new Failure("unauthenticated", "The API key is not valid.", {
	headers: invalidToken,
	isShared: true,
});

/** `now` is by `performance.now()`. Returns or throws `unauthenticated`, like `Surface.authenticate`. */
export type Identify = (
	key: string,
	now: number,
) => Awaitable<Identity | Failure>;

export function createAuthenticate(
	identify: Identify,
): Surface["authenticate"] {
	return ({ headers }, arrivedAt) => {
		const key = bearerToken(headers.get("authorization"));
		return key === undefined ? missingKey : identify(key, arrivedAt);
	};
}

export function createIdentify(options: {
	keys: Keys;
	fixedKeys: readonly FixedKey[];
	/** Called when the last use of a key could not be recorded. The request is still answered. */
	onUnrecordedUse: (error: unknown) => void;
	clock?: Clock;
}): Identify {
	const { keys, onUnrecordedUse, clock = Date.now } = options;
	const fixed = createSecretMap<Identity>(options.fixedKeys.length);
	for (const { key, id: keyId, scope } of options.fixedKeys)
		fixed.set(key, { keyHash: hashKey(key), keyId, scope });
	const callers = createLookupCache("API key", findCaller);
	const recordUse = createUseRecord(keys.recordUse, onUnrecordedUse);

	function identify(text: string, now: number): Awaitable<Identity | Failure> {
		const cached = callers.get(text, now);
		if (cached !== undefined) return after(cached, toIdentity, clock);
		const identity = fixed.get(text);
		if (identity !== undefined) return identity;
		// A mistyped key needs no lookup.
		if (!isKey(text)) return invalidKey;
		return after(callers.read(text), toIdentity, clock);
	}

	async function findCaller(text: string): Promise<Caller> {
		const key = await keys.find(hashKey(text));
		if (key === undefined) throw invalidKey;
		const { id: keyId, hash: keyHash, name, scope, expiresAt } = key;
		if (key.revokedAt !== undefined)
			throw refuse("The API key was revoked.", keyId);
		const caller = { identity: { keyHash, keyId, name, scope }, expiresAt };
		toIdentity(caller, clock);
		recordUse(key, clock());
		return caller;
	}

	return identify;
}

/** A key that is valid as long as the service runs, besides the stored ones. */
export interface FixedKey {
	readonly key: string;
	readonly id: string;
	readonly scope: KeyScope;
}

/** In milliseconds since 1970. */
type Clock = () => number;

interface Caller {
	readonly identity: Identity;
	readonly expiresAt: number | undefined;
}

/** A cached key may have expired since it was read. */
function toIdentity({ identity, expiresAt }: Caller, clock: Clock): Identity {
	// Most keys do not expire, and reading the clock takes time.
	if (expiresAt !== undefined && expiresAt <= clock())
		throw refuse("The API key has expired.", identity.keyId);
	return identity;
}

function bearerToken(authorization: string | null): string | undefined {
	// Two Authorization lines arrive joined by ", ", which no token contains.
	return authorization !== null && /^bearer +[!-~]+$/i.test(authorization)
		? authorization.slice(authorization.lastIndexOf(" ") + 1)
		: undefined;
}

function refuse(message: string, keyId: Identity["keyId"]): Failure {
	return new RefusedKey(message, { headers: invalidToken, keyId });
}
