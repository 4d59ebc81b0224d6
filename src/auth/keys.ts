// Who calls: the key in the Authorization header. It is looked up at most twice a second, and its use recorded at most once a minute.

import { toAuthor } from "../domain/access/author.ts";
import type { KeyScope } from "../domain/access/key-scope.ts";
import { hashSecret, isKey } from "../domain/access/secret.ts";
import type { Awaitable } from "../domain/async.ts";
import { Failure, restate } from "../domain/errors.ts";
import type { Identity } from "../http/surface.ts";
import { keyUseIntervalMs } from "../limits.ts";
import type { Key, Keys } from "../store/access/keys.ts";

/** How long the service trusts the lookup of a stored key or session. */
export const keyCacheMs = 500;

/** For a missing key, then for an invalid one (RFC 6750). */
export const challenge = { "WWW-Authenticate": 'Bearer realm="petstore"' };
export const invalidToken = {
	"WWW-Authenticate": 'Bearer realm="petstore", error="invalid_token"',
};

const missingKey = new Failure(
	"unauthenticated",
	'An API key is required, sent as "Authorization: Bearer <API_KEY>".',
	{ headers: challenge },
);

const invalidKey = new Failure("unauthenticated", "The API key is not valid.", {
	headers: invalidToken,
});

/** `now` is by `performance.now()`. Returns or throws `unauthenticated`, like `Surface.authenticate`. */
export type Identify = (
	key: string,
	now: number,
) => Awaitable<Identity | Failure>;

export function createKeyAuthentication(options: {
	keys: Keys;
	fixedKeys: readonly (FixedKey | undefined)[];
	report: Report;
	/** In milliseconds since 1970. */
	clock?: () => number;
	/** How long a lookup is trusted. */
	cacheMs?: number | undefined;
}) {
	const { keys, report, clock = Date.now } = options;
	const fixed = new Map(
		options.fixedKeys.filter((key) => key !== undefined).map(toFixedIdentity),
	);
	const callers = createLookupCache("API key", findCaller, options.cacheMs);
	const recordUse = createUseRecord("key", keys.recordUse, report);
	const recordDeprecated = createUseRecord(
		"key",
		keys.recordDeprecatedUse,
		report,
	);

	function authenticate(
		{ headers }: Request,
		arrivedAt: number,
	): Awaitable<Identity | Failure> {
		const key = bearerToken(headers.get("authorization"));
		return key === undefined ? missingKey : identify(key, arrivedAt);
	}

	function identify(key: string, now: number): Awaitable<Identity | Failure> {
		const identity = fixed.get(key);
		if (identity !== undefined) return identity;
		const known = callers.get(key, now);
		if (known !== undefined && !(known instanceof Promise))
			return requireUnexpired(known);
		// A mistyped key needs no lookup.
		if (known === undefined && !isKey(key)) return invalidKey;
		return (known ?? callers.read(key)).then(requireUnexpired);
	}

	async function findCaller(text: string): Promise<Caller> {
		const key = await keys.find(hashSecret(text));
		if (key === undefined) throw invalidKey;
		const { scope, expiresAt } = key;
		if (key.revokedAt !== undefined)
			throw refuse("The API key was revoked.", key.id);
		const caller = { identity: { ...toKeyCaller(key), scope }, expiresAt };
		requireUnexpired(caller);
		recordUse(key.hash, clock());
		return caller;
	}

	/** A cached key may have expired since it was read. */
	function requireUnexpired({ identity, expiresAt }: Caller): Identity {
		// Most keys do not expire, and reading the clock takes time.
		if (expiresAt !== undefined && expiresAt <= clock())
			throw refuse("The API key has expired.", identity.keyId);
		return identity;
	}

	/** Only a stored key has a record. */
	function recordDeprecatedUse({ keyId, keyHash }: Identity): void {
		if (typeof keyId === "number") recordDeprecated(keyHash, clock());
	}

	return { authenticate, identify, recordDeprecatedUse };
}

/** A key that is valid as long as the service runs, besides the stored ones. */
export interface FixedKey {
	readonly key: string;
	readonly id: string;
	readonly scope: KeyScope;
}

/** `PETSTORE_API_KEY`, which names itself in the log. */
export function toExtraKey(key: string | undefined): FixedKey | undefined {
	return key ? { key, id: "PETSTORE_API_KEY", scope: "read-write" } : undefined;
}

/** Who calls with a stored key. */
export function toKeyCaller({ id, hash, name }: Key) {
	return { keyHash: hash, keyId: id, author: toAuthor(id, name) };
}

function toFixedIdentity({ key, id, scope }: FixedKey) {
	const author = toAuthor("key", id);
	const identity = { keyHash: hashSecret(key), keyId: id, author, scope };
	return [key, identity] as const;
}

interface Caller {
	readonly identity: Identity;
	readonly expiresAt: number | undefined;
}

function bearerToken(authorization: string | null): string | undefined {
	// Two Authorization lines arrive joined by ", ", which no token contains.
	return authorization !== null && /^bearer +[!-~]+$/i.test(authorization)
		? authorization.slice(authorization.lastIndexOf(" ") + 1)
		: undefined;
}

/** The log, but not the caller, learns the id of a stored key that is revoked or expired. */
function refuse(message: string, keyId: Identity["keyId"]): Failure {
	const options = { headers: invalidToken, logged: { keyId } };
	return new Failure("unauthenticated", message, options);
}

/** More keys or sessions than a process meets in that time. Above this, all are forgotten. */
export const maxCachedLookups = 10_000;

/** By the secret: a hash adds 5 % to a list's processor time. Refusals of `find` are not kept: without a valid secret nobody fills it. */
export function createLookupCache<Value>(
	what: "API key" | "session",
	find: (secret: string) => Promise<Value>,
	ms = keyCacheMs,
) {
	const cache = new Map<string, Entry<Value>>();
	return {
		/** A value that was read less than `ms` before `now`, or is being read. */
		get(secret: string, now: number): Awaitable<Value> | undefined {
			const entry = cache.get(secret);
			return entry !== undefined && now - entry.readAt < ms
				? entry.value
				: undefined;
		},
		/** Callers at the same time share the lookup. */
		read(secret: string): Promise<Value> {
			const reading = find(secret).catch((error) => {
				throw toLookupFailure(error, what);
			});
			const entry: Entry<Value> = { value: reading, readAt: performance.now() };
			if (cache.size >= maxCachedLookups) cache.clear();
			cache.set(secret, entry);
			reading.then(
				(value) => {
					entry.value = value;
				},
				() => {
					if (cache.get(secret) === entry) cache.delete(secret);
				},
			);
			return reading;
		},
		forget(secret: string): void {
			cache.delete(secret);
		},
	};
}

interface Entry<Value> {
	value: Awaitable<Value>;
	/** By `performance.now()`, which cannot be set back. */
	readonly readAt: number;
}

/** The request has not started, so even an add may be repeated. */
function toLookupFailure(error: unknown, what: "API key" | "session"): unknown {
	const message = `The store cannot answer now whether the ${what} is valid. This request was not done; try again.`;
	return restate(error, message, message, { wroteNothing: true });
}

/** Logs that work in the background failed. */
export type Report = (error: unknown, message: string) => void;

/** At most once in an interval. The caller does not wait for the record. */
export function createUseRecord(
	what: "key" | "session",
	record: (hash: string, at: number) => Promise<void>,
	report: Report,
) {
	const triedAt = new Map<string, number>();
	return (hash: string, now: number): void => {
		// The clock may be set back.
		if (Math.abs(now - (triedAt.get(hash) ?? 0)) < keyUseIntervalMs) return;
		triedAt.set(hash, now);
		record(hash, now).catch((error) =>
			report(error, `the last use of a ${what} was not recorded`),
		);
	};
}
