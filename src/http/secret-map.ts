// What is known about secrets, such as API keys, found by their text.

export interface SecretMap<Value> {
	readonly get: (secret: string) => Value | undefined;
	/** If the map is full, all other secrets are removed. */
	readonly set: (secret: string, value: Value) => void;
	readonly delete: (secret: string) => void;
}

/**
 * The time of a lookup says nothing about the secrets in the map: a text is compared with a secret only if both have the same hash, and
 * the hash has a random seed that callers do not know.
 */
export function createSecretMap<Value>(max: number): SecretMap<Value> {
	const entries = new Map<number, { secret: string; value: Value }>();
	const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
	const toHash = (secret: string) => Bun.hash.xxHash32(secret, seed);
	return {
		get(secret) {
			const entry = entries.get(toHash(secret));
			return entry?.secret === secret ? entry.value : undefined;
		},
		set(secret, value) {
			if (entries.size >= max) entries.clear();
			entries.set(toHash(secret), { secret, value });
		},
		delete: (secret) => entries.delete(toHash(secret)),
	};
}
