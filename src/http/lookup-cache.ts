// Remembers for half a second what the store has said about a key or a session.
import type { Awaitable } from "../async/awaitable.ts";
import { toLookupFailure } from "../contract/retry.ts";
import { keyCacheMs, maxCachedLookups } from "../limits.ts";
import { createSecretMap } from "./secret-map.ts";

export interface LookupCache<Value> {
	/** What was read less than `keyCacheMs` before `now`, or is being read; undefined if there is nothing such. */
	readonly get: (secret: string, now: number) => Awaitable<Value> | undefined;
	/** Callers that come before the store has answered share the lookup. */
	readonly read: (secret: string) => Promise<Value>;
	readonly forget: (secret: string) => void;
}

/** What `find` has refused does not stay in it, so callers without a valid secret cannot fill it. */
export function createLookupCache<Value>(
	find: (secret: string) => Promise<Value>,
): LookupCache<Value> {
	const cache = createSecretMap<Entry<Value>>(maxCachedLookups);
	return {
		get(secret, now) {
			const entry = cache.get(secret);
			return entry !== undefined && now - entry.readAt < keyCacheMs
				? entry.value
				: undefined;
		},
		read(secret) {
			const reading = find(secret);
			const entry: Entry<Value> = { value: reading, readAt: performance.now() };
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
		forget: cache.delete,
	};
}

/** For the `catch` of a lookup. */
export function notLookedUp(
	what: "API key" | "session",
): (error: unknown) => never {
	return (error) => {
		throw toLookupFailure(error, what);
	};
}

interface Entry<Value> {
	value: Awaitable<Value>;
	/** By `performance.now()`, which cannot be set back. */
	readonly readAt: number;
}
