// Caches a key or a session for half a second after it was read from the store.
import type { Awaitable } from "../async/awaitable.ts";
import { restate } from "../domain/errors.ts";
import { keyCacheMs } from "../limits.ts";

/** More keys or sessions than a process meets in that time. Above this, all are forgotten. */
export const maxCachedLookups = 10_000;

/** Refusals of `find` are not cached, so callers without a valid secret cannot fill the cache. */
export function createLookupCache<Value>(
	what: "API key" | "session",
	find: (secret: string) => Promise<Value>,
) {
	const cache = createSecretMap<Entry<Value>>(maxCachedLookups);
	return {
		/** A value that was read less than `keyCacheMs` before `now`, or is being read. */
		get(secret: string, now: number): Awaitable<Value> | undefined {
			const entry = cache.get(secret);
			return entry !== undefined && now - entry.readAt < keyCacheMs
				? entry.value
				: undefined;
		},
		/** Callers at the same time share the lookup. */
		read(secret: string): Promise<Value> {
			const reading = find(secret).catch((error) => {
				throw toLookupFailure(error, what);
			});
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

interface Entry<Value> {
	value: Awaitable<Value>;
	/** By `performance.now()`, which cannot be set back. */
	readonly readAt: number;
}

/** Timing reveals nothing about the secrets: texts are compared only if their hashes are equal, and the seed of the hash is secret. */
export function createSecretMap<Value>(max: number) {
	const entries = new Map<number, { secret: string; value: Value }>();
	const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
	const toHash = (secret: string) => Bun.hash.xxHash32(secret, seed);
	return {
		get(secret: string): Value | undefined {
			const entry = entries.get(toHash(secret));
			return entry?.secret === secret ? entry.value : undefined;
		},
		/** If the map is full, all other secrets are removed. */
		set(secret: string, value: Value): void {
			if (entries.size >= max) entries.clear();
			entries.set(toHash(secret), { secret, value });
		},
		delete(secret: string): void {
			entries.delete(toHash(secret));
		},
	};
}

/** For a request whose API key or session could not be looked up. It has not started, so even an add may be repeated. */
function toLookupFailure(
	error: unknown,
	what: "API key" | "session" = "API key",
): unknown {
	const message = `The store cannot answer now whether the ${what} is valid. This request was not done; try again.`;
	return restate(error, message, message, { wroteNothing: true });
}
