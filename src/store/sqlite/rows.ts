// Rows as SQLite returns them, and their conversion to records. Integers arrive as bigints.
import type { KeyScope } from "../../contract/key-scope.ts";
import type { FoundKey, Key } from "../keys.ts";
import { longNameBytes } from "../long-page.ts";

/** A row with these columns is a StoredPet. */
export const petColumns =
	"id, name, category_id AS categoryId, status, ifnull(version, id) AS version, added_at AS addedAt, added_by AS addedBy";

/** A row with these is a FoundPet. */
export const foundPetColumns = `${petColumns}, (SELECT feed_base FROM catalogue) AS epoch`;

/** The same without names that are long. */
export const shortPetColumns = petColumns.replace(
	"name",
	`CASE WHEN octet_length(name) <= ${longNameBytes} THEN name END AS name`,
);

export const keyColumns = `id, name, hash, prefix, scope,
	created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt, last_used_at AS lastUsedAt`;

export interface KeyRow {
	readonly id: bigint;
	readonly name: string;
	readonly hash: string;
	readonly prefix: string;
	readonly scope: KeyScope;
	readonly createdAt: bigint;
	readonly expiresAt: bigint | null;
	readonly revokedAt: bigint | null;
	readonly lastUsedAt: bigint | null;
}

export function toKey(row: KeyRow): Key {
	return {
		...row,
		id: Number(row.id),
		createdAt: Number(row.createdAt),
		expiresAt: optional(row.expiresAt, Number),
		revokedAt: optional(row.revokedAt, Number),
		lastUsedAt: optional(row.lastUsedAt, Number),
	};
}

/** Of a row of key_secrets joined with its key. */
export const foundKeyColumns = `keys.id, name, keys.hash, prefix, scope, created_at AS createdAt,
	keys.expires_at AS expiresAt, revoked_at AS revokedAt, last_used_at AS lastUsedAt, key_secrets.expires_at AS secretExpiresAt`;

export interface FoundKeyRow extends KeyRow {
	readonly secretExpiresAt: bigint | null;
}

export function toFoundKey({ secretExpiresAt, ...row }: FoundKeyRow): FoundKey {
	return {
		...toKey(row),
		secretExpiresAt: optional(secretExpiresAt, Number),
	};
}

export function optional<From, To>(
	value: From | null,
	convert: (value: From) => To,
): To | undefined {
	return value === null ? undefined : convert(value);
}
