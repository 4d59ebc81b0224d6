// The API keys, as the operator interface has them.
import type { Api } from "./api.ts";
import {
	optional,
	toList,
	toMembers,
	toNumber,
	toText,
	toTime,
} from "./values.ts";

export interface Key {
	readonly id: number;
	readonly name: string;
	/** The first characters of the secret. */
	readonly prefix: string;
	readonly scope: string;
	readonly createdAt: number;
	readonly expiresAt: number | undefined;
	readonly revokedAt: number | undefined;
	readonly lastUsedAt: number | undefined;
}

/** A key with its secret, which the service sends only once. */
export interface KeyWithSecret {
	readonly key: Key;
	readonly secret: string;
}

export type Keys = ReturnType<typeof createKeys>;

export function createKeys({ read, send }: Api) {
	return {
		/** All of them. The service sends them in pages. */
		async list(ending?: AbortSignal): Promise<readonly Key[]> {
			const all: Key[] = [];
			for (let path: string | undefined = "/keys?limit=100"; path; ) {
				const { keys, next } = toMembers((await read(path, ending)).body);
				all.push(...toList(keys, "keys", toKey));
				const cursor = optional(next, "next", toText);
				path = cursor && `/keys?limit=100&cursor=${cursor}`;
			}
			return all;
		},
		async create(options: {
			name: string;
			scope: string;
			expiresAt: string | undefined;
		}): Promise<KeyWithSecret> {
			return toKeyWithSecret(
				(await send("POST", "/keys", { body: options })).body,
			);
		},
		async rename(id: number, name: string): Promise<Key> {
			return toKey(
				(await send("PATCH", `/keys/${id}`, { body: { name } })).body,
			);
		},
		async revoke(id: number): Promise<void> {
			await send("DELETE", `/keys/${id}`);
		},
		async forget(id: number): Promise<void> {
			await send("DELETE", `/keys/${id}?forget=true`);
		},
		async rotate(id: number, overlapSeconds: number): Promise<KeyWithSecret> {
			const body = { overlapSeconds };
			return toKeyWithSecret(
				(await send("POST", `/keys/${id}/rotate`, { body })).body,
			);
		},
	};
}

function toKeyWithSecret(body: unknown): KeyWithSecret {
	return { key: toKey(body), secret: toText(toMembers(body).key, "key") };
}

function toKey(value: unknown): Key {
	const key = toMembers(value, "a key");
	return {
		id: toNumber(key.id, "id"),
		name: toText(key.name, "name"),
		prefix: toText(key.prefix, "prefix"),
		scope: toText(key.scope, "scope"),
		createdAt: toTime(key.createdAt, "createdAt"),
		expiresAt: optional(key.expiresAt, "expiresAt", toTime),
		revokedAt: optional(key.revokedAt, "revokedAt", toTime),
		lastUsedAt: optional(key.lastUsedAt, "lastUsedAt", toTime),
	};
}
