// Rows as SQLite gives them, and the records they stand for. Integers arrive as bigints.
import type { KeyScope } from "../../contract/v1.ts";
import type { Key } from "../store.ts";

/** Such a row is a Pet as it is. */
export const petColumns = "id, name, category_id AS categoryId, status";

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

export function optional<From, To>(
	value: From | null,
	convert: (value: From) => To,
): To | undefined {
	return value === null ? undefined : convert(value);
}
