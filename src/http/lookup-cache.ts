// Remembers for half a second what the store has said about a key or a session.
import type { Awaitable } from "../async/awaitable.ts";
import { toLookupFailure } from "../contract/retry.ts";
import { keyCacheMs, maxCachedLookups } from "../limits.ts";

export interface LookupCache<Value> {
	/** What was read less than `keyCacheMs` before `now`, or is being read; undefined if there is nothing such. */
	readonly get: (hash: string, now: number) => Awaitable<Value> | undefined;
	/** Callers that come before the store has answered share the lookup. */
	readonly read: (hash: string) => Promise<Value>;
	readonly forget: (hash: string) => void;
}

/**
 * By the hash of the secret, so that the time of a lookup says nothing about its text. What `find` has refused does not stay in it, so
 * callers without a valid secret cannot fill it.
 */
export function createLookupCache<Value>(
	find: (hash: string) => Promise<Value>,
): LookupCache<Value> {
	const cache = new Map<string, Entry<Value>>();
	return {
		get(hash, now) {
			const entry = cache.get(hash);
			return entry !== undefined && now - entry.readAt < keyCacheMs
				? entry.value
				: undefined;
		},
		read(hash) {
			const reading = find(hash);
			const entry: Entry<Value> = { value: reading, readAt: performance.now() };
			if (cache.size >= maxCachedLookups) cache.clear();
			cache.set(hash, entry);
			reading.then(
				(value) => {
					entry.value = value;
				},
				() => {
					if (cache.get(hash) === entry) cache.delete(hash);
				},
			);
			return reading;
		},
		forget: (hash) => cache.delete(hash),
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
