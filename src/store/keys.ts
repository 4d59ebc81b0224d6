// The API keys. The store has only the hashes of their secrets.
import {
	canForget,
	type KeyScope,
	keyScopes,
	maxOverlapSeconds,
} from "../domain/key-scope.ts";
import { keyUseIntervalMs } from "../limits.ts";
import {
	type EngineRow,
	type SqlRequests,
	tables,
	toSelected,
} from "./archive/tables.ts";
import { oneOf } from "./rows.ts";

/**
 * How far the clocks of machines may differ. A key or session from further in the future comes from a wrong clock, and counts as ended: it
 * could be valid for years.
 */
export const maxClockSkewMs = 60_000;

export interface Keys {
	readonly add: (key: NewKey) => Promise<Key>;
	/** In the order of their ids; all of them if no page is given. */
	readonly list: (page?: KeyPage) => Promise<readonly Key[]>;
	/** The key that has a secret with this hash. */
	readonly find: (hash: string) => Promise<FoundKey | undefined>;
	/** Returns the key with its new name; undefined if no key has this id. */
	readonly rename: (id: number, name: string) => Promise<Key | undefined>;
	/** Returns the key as it was before; undefined if no key has this id. */
	readonly revoke: (id: number, at: number) => Promise<Key | undefined>;
	/** Deletes a key that was revoked long ago, with its secrets. Its id is never assigned again. */
	readonly forget: (id: number, at: number) => Promise<Forgetting>;
	/** Gives the key another secret. Its older secrets end after the overlap, unless they end sooner. */
	readonly rotate: (id: number, secret: NewSecret) => Promise<Rotation>;
	/** Sets the time of last use, unless it was set less than `keyUseIntervalMs` before. A time in the future is replaced. */
	readonly recordUse: (id: number, at: number) => Promise<void>;
}

export interface KeyPage {
	/** Only keys with greater ids. */
	readonly after: number;
	readonly limit: number;
}

export type Forgetting = "forgotten" | ForgettingRefusal;

export type ForgettingRefusal = "missing" | "valid" | "recent";

export interface NewKey {
	readonly name: string;
	/** Of the first secret. After a rotation it still owns the Idempotency-Keys and the rate limit. */
	readonly hash: string;
	/** Of the newest secret. */
	readonly prefix: string;
	readonly scope: KeyScope;
	readonly createdAt: number;
	readonly expiresAt: number | undefined;
}

export interface Key extends NewKey {
	readonly id: number;
	readonly revokedAt: number | undefined;
	readonly lastUsedAt: number | undefined;
}

/** A key that was found by one of its secrets. */
export interface FoundKey extends Key {
	/** When this secret ends; undefined if it was not replaced. */
	readonly secretExpiresAt: number | undefined;
}

export interface NewSecret {
	readonly hash: string;
	readonly prefix: string;
	readonly at: number;
	/** How long the secrets that it replaces stay valid. */
	readonly overlapMs: number;
}

export type Rotation =
	| { readonly outcome: "rotated"; readonly key: Key }
	| { readonly outcome: RotationRefusal };

export type RotationRefusal = "missing" | "revoked" | "expired";

/** What each engine implements itself: a fast lookup, and transactions of several statements. */
export interface OwnKeys extends Pick<Keys, "add" | "find" | "rotate"> {
	/** Deletes a key with its secrets. Returns false if it is missing. */
	readonly delete: (id: number) => Promise<boolean>;
}

/** `skipLocked` ends a query, so that it skips locked rows. SQLite locks no rows. */
export function openKeys(
	{ read, write }: SqlRequests,
	own: OwnKeys,
	skipLocked = "",
): Keys {
	async function get(id: number): Promise<Key | undefined> {
		const [row] = await read(
			`SELECT ${keyColumns} FROM petstore.keys WHERE id = $1`,
			[id],
		);
		return row && toKey(row);
	}

	return {
		...own,
		list: (page) => listKeys(read, page),

		async rename(id, name) {
			const [row] = await write(
				`UPDATE petstore.keys SET name = $1 WHERE id = $2 RETURNING ${keyColumns}`,
				[name, id],
			);
			return row && toKey(row);
		},

		async revoke(id, at) {
			const [row] = await write(
				`UPDATE petstore.keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL RETURNING ${keyColumns}`,
				[at, id],
			);
			return row === undefined
				? get(id)
				: { ...toKey(row), revokedAt: undefined };
		},

		async forget(id, at) {
			const refusal = findForgettingRefusal(await get(id), at);
			if (refusal !== undefined) return refusal;
			// Needs no transaction: a revoked key stays revoked.
			return (await own.delete(id)) ? "forgotten" : "missing";
		},

		async recordUse(id, at) {
			// If the row is locked, the use is recorded the next time.
			await write(
				`UPDATE petstore.keys SET last_used_at = $1 WHERE id = (
					SELECT id FROM petstore.keys
					WHERE id = $2 AND (last_used_at IS NULL OR last_used_at <= $3 OR last_used_at > $4) ${skipLocked}
				)`,
				[at, id, at - keyUseIntervalMs, at + maxClockSkewMs],
			);
		},
	};
}

export async function listKeys(
	read: SqlRequests["read"],
	{ after, limit }: KeyPage = { after: 0, limit: Number.MAX_SAFE_INTEGER },
): Promise<readonly Key[]> {
	const rows = await read(
		`SELECT ${keyColumns} FROM petstore.keys WHERE id > $1 ORDER BY id LIMIT $2`,
		[after, limit],
	);
	return rows.map(toKey);
}

export const keyColumns = toSelected(tables.keys);

/** Finds keys by the hash of a secret. */
export function toFindKeys(condition: string): string {
	return `SELECT ${keyColumns}, secret, "secretExpiresAt" FROM (
		SELECT keys.*, key_secrets.hash AS secret, key_secrets.expires_at AS "secretExpiresAt"
		FROM petstore.key_secrets JOIN petstore.keys ON keys.id = key_secrets.key_id
		WHERE key_secrets.hash ${condition}
	) AS found`;
}

export function toKey(row: EngineRow): Key {
	return {
		id: Number(row.id),
		name: String(row.name),
		hash: String(row.hash),
		prefix: String(row.prefix),
		scope: oneOf(keyScopes, row.scope),
		createdAt: Number(row.createdAt),
		expiresAt: toTime(row.expiresAt),
		revokedAt: toTime(row.revokedAt),
		lastUsedAt: toTime(row.lastUsedAt),
	};
}

export function toFoundKey(row: EngineRow): FoundKey {
	return { ...toKey(row), secretExpiresAt: toTime(row.secretExpiresAt) };
}

function toTime(value: EngineRow[string] | undefined): number | undefined {
	return value == null ? undefined : Number(value);
}

export function findRotationRefusal(
	key: Key,
	at: number,
): RotationRefusal | undefined {
	if (key.revokedAt !== undefined) return "revoked";
	return key.expiresAt !== undefined && key.expiresAt <= at
		? "expired"
		: undefined;
}

/** Only a key that was revoked some time ago is forgotten, so that a mistake can be seen. */
function findForgettingRefusal(
	key: Key | undefined,
	at: number,
): ForgettingRefusal | undefined {
	if (key === undefined) return "missing";
	if (key.revokedAt === undefined) return "valid";
	return canForget(key, at) ? undefined : "recent";
}

/** When the secret that found the key ends. A validity longer than an overlap comes from a wrong clock, and counts as ended. */
export function toSecretEnd(
	{ secretExpiresAt }: FoundKey,
	now: number,
): number | undefined {
	if (secretExpiresAt === undefined) return undefined;
	const replacedAt = secretExpiresAt - maxOverlapSeconds * 1_000;
	return isInFuture(replacedAt, now) ? 0 : secretExpiresAt;
}

/** A future time comes from a wrong clock. */
export function isInFuture(time: number, now: number): boolean {
	return time > now + maxClockSkewMs;
}
