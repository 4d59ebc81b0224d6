// The API keys. The store has only their hashes.
import { type KeyScope, keyScopes } from "../domain/key-scope.ts";
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
	readonly find: (hash: string) => Promise<Key | undefined>;
	/** Returns the changed key; undefined if no key has this id. The expiry of a revoked key cannot be changed. */
	readonly change: (
		id: number,
		change: KeyChange,
	) => Promise<Key | "revoked" | undefined>;
	/** Returns the key as it was before; undefined if no key has this id. */
	readonly revoke: (id: number, at: number) => Promise<Key | undefined>;
	/** Sets the time of last use, unless it was set less than `keyUseIntervalMs` before. A time in the future is replaced. */
	readonly recordUse: (id: number, at: number) => Promise<void>;
	/** The same for the last call of a deprecated operation. */
	readonly recordDeprecatedUse: (id: number, at: number) => Promise<void>;
}

export interface KeyPage {
	/** Only keys with greater ids. */
	readonly after: number;
	readonly limit: number;
}

export interface KeyChange {
	readonly name?: string | undefined;
	/** null: it does not expire. */
	readonly expiresAt?: number | null | undefined;
}

export interface NewKey {
	readonly name: string;
	readonly hash: string;
	readonly prefix: string;
	readonly scope: KeyScope;
	readonly createdAt: number;
	readonly expiresAt: number | undefined;
}

export interface Key extends NewKey {
	readonly id: number;
	readonly revokedAt: number | undefined;
	readonly lastUsedAt: number | undefined;
	readonly deprecatedUseAt: number | undefined;
}

/** `find` is fast in each engine in its own way. `skipLocked` ends a query, so that it skips locked rows. SQLite locks no rows. */
export function openKeys(
	{ read, write }: SqlRequests,
	find: Keys["find"],
	skipLocked = "",
): Keys {
	async function get(id: number): Promise<Key | undefined> {
		const [row] = await read(
			`SELECT ${keyColumns} FROM petstore.keys WHERE id = $1`,
			[id],
		);
		return row && toKey(row);
	}

	function recordInto(column: string): Keys["recordUse"] {
		return async (id, at) => {
			// If the row is locked, the use is recorded the next time.
			await write(
				`UPDATE petstore.keys SET ${column} = $1 WHERE id = (
					SELECT id FROM petstore.keys
					WHERE id = $2 AND (${column} IS NULL OR ${column} <= $3 OR ${column} > $4) ${skipLocked}
				)`,
				[at, id, at - keyUseIntervalMs, at + maxClockSkewMs],
			);
		};
	}

	return {
		async add(key) {
			const { name, hash, prefix, scope, createdAt, expiresAt } = key;
			const [row] = await write(
				`INSERT INTO petstore.keys (name, hash, prefix, scope, created_at, expires_at)
				VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${keyColumns}`,
				[name, hash, prefix, scope, createdAt, expiresAt ?? null],
			);
			return toKey(row ?? {});
		},

		find,
		list: (page) => listKeys(read, page),

		async change(id, { name, expiresAt }) {
			const [row] =
				expiresAt === undefined
					? await write(
							`UPDATE petstore.keys SET name = coalesce($1, name) WHERE id = $2 RETURNING ${keyColumns}`,
							[name ?? null, id],
						)
					: await write(
							`UPDATE petstore.keys SET name = coalesce($1, name), expires_at = $2
							WHERE id = $3 AND revoked_at IS NULL RETURNING ${keyColumns}`,
							[name ?? null, expiresAt, id],
						);
			if (row !== undefined) return toKey(row);
			return (await get(id)) && "revoked";
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

		recordUse: recordInto("last_used_at"),
		recordDeprecatedUse: recordInto("deprecated_use_at"),
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
		deprecatedUseAt: toTime(row.deprecatedUseAt),
	};
}

function toTime(value: EngineRow[string] | undefined): number | undefined {
	return value == null ? undefined : Number(value);
}

/** A future time comes from a wrong clock. */
export function isInFuture(time: number, now: number): boolean {
	return time > now + maxClockSkewMs;
}
