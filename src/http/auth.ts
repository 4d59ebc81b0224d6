// The Authorization header to the identity of its caller.
import { timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import { type Awaitable, after } from "../async/awaitable.ts";
import { hashKey, isKey } from "../contract/api-key.ts";
import { Failure } from "../contract/errors.ts";
import { type KeyScope, keyUseIntervalMs } from "../contract/v1.ts";
import type { Key, Store } from "../store/store.ts";

export interface Identity {
	/** Whose Idempotency-Keys these are, and whose rate is limited. */
	readonly keyHash: string;
	readonly keyId: number | "API_KEY";
	readonly scope: KeyScope;
}

/** Refuses with `unauthenticated` whoever has no valid key. */
export type Authenticate = (
	authorization: string | null,
) => Awaitable<Identity>;

export function createAuthenticate(options: {
	store: Store;
	/** A key that is valid beside the stored ones. */
	apiKey: string | undefined;
	/** Told when a key's time of last use could not be written, which fails no request. */
	onUnrecordedUse: (error: unknown) => void;
	clock?: Clock;
}): Authenticate {
	const { store, onUnrecordedUse, clock = Date.now } = options;
	const apiKey = toApiKey(options.apiKey);
	// By a checksum of their text, which two rarely share. Only valid keys stay in it, so strangers cannot fill it.
	const remembered = new Map<number, Remembered>();
	/** When it was last tried to record the use of a key, by its id: what the store cannot write now is not tried at each lookup. */
	const triedAt = new Map<number, number>();

	/** As the store had it at most a moment ago, by a clock that nobody can set back. */
	function findKey(text: string): Awaitable<Key> {
		const checksum = crc32(text);
		const known = remembered.get(checksum);
		const readAt = performance.now();
		if (known?.isText(text) && readAt - known.readAt < rememberMs)
			return known.key;
		// Every stored key has our form, so a mistyped one costs no lookup.
		if (!isKey(text)) throw refuse("The API key is not valid.");
		const key = readKey(text);
		const asked: Remembered = { isText: secret(text), key, readAt };
		remembered.set(checksum, asked);
		key.then(
			(found) => {
				asked.key = found;
			},
			() => {
				if (remembered.get(checksum) === asked) remembered.delete(checksum);
			},
		);
		return key;
	}

	async function readKey(text: string): Promise<Key> {
		const key = requireUsable(await store.findKey(hashKey(text)), clock);
		recordUse(key, clock());
		return key;
	}

	function recordUse({ id, lastUsedAt = 0 }: Key, now: number): void {
		const recordedAt = Math.max(lastUsedAt, triedAt.get(id) ?? 0);
		if (now - recordedAt < keyUseIntervalMs) return;
		triedAt.set(id, now);
		store.recordKeyUse(id, now).catch(onUnrecordedUse);
	}

	return (authorization) => {
		const text = bearerToken(authorization);
		if (apiKey?.isText(text)) return apiKey.identity;
		return after(findKey(text), toIdentity, clock);
	};
}

function toIdentity(key: Key, clock: Clock): Identity {
	const { id, hash, scope } = requireUsable(key, clock);
	return { keyHash: hash, keyId: id, scope };
}

/** In milliseconds since 1970. */
type Clock = () => number;

interface Remembered {
	readonly isText: (text: string) => boolean;
	key: Awaitable<Key>;
	readonly readAt: number;
}

/** How long a stored key is trusted without asking again: well below the second within which a revocation must hold. */
const rememberMs = 500;

function toApiKey(
	text: string | undefined,
): { isText: (text: string) => boolean; identity: Identity } | undefined {
	if (text === undefined) return undefined;
	return {
		isText: secret(text),
		identity: {
			keyHash: hashKey(text),
			keyId: "API_KEY",
			scope: "read-write",
		},
	};
}

/** Whether a text is this one, in a time that does not tell how much of it is. Hashes would do too, and took 0.6 of a list's 11 µs. */
function secret(text: string): (given: string) => boolean {
	// With a zero at the end, which no text of a request has: neither a shorter nor a longer one is taken for it.
	const own = Buffer.from(`${text}\0`);
	// One for all requests: a buffer of its own would cost each more than the comparison.
	const copy = Buffer.alloc(own.length);
	return (given) => {
		copy.fill(0);
		copy.write(given, "latin1");
		return timingSafeEqual(copy, own);
	};
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
