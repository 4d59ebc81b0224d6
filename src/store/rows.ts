// The columns of animals, counts and keys, and their conversion to records. An integer arrives as a bigint from SQLite, and as text from PostgreSQL.
import type { KeyScope } from "../domain/key-scope.ts";
import { tables, toSelected } from "./archive/tables.ts";
import type { CategoryCount } from "./catalogue.ts";
import type { FoundKey, Key } from "./keys.ts";
import { longNameBytes } from "./queue/long-page.ts";

/** The version of an animal that was never changed is its id, and is not stored. */
export const petColumns = toSelected(tables.pets).replace(
	'version AS "version"',
	"coalesce(version, id) AS version",
);

/** With the epoch of the database. */
export function toFoundPetColumns(schema: "" | "petstore."): string {
	return `${petColumns}, (SELECT feed_base FROM ${schema}catalogue) AS epoch`;
}

/** The columns of a pet, with NULL for a long name. */
export const shortPetColumns = petColumns.replace(
	'name AS "name"',
	`CASE WHEN octet_length(name) <= ${longNameBytes} THEN name END AS name`,
);

export const keyColumns = `id, name, hash, prefix, scope, created_at AS "createdAt",
	expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt"`;

/** The columns of `key_secrets` joined with `keys`. */
export const foundKeyColumns = `keys.id, name, keys.hash, prefix, scope, created_at AS "createdAt",
	keys.expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt", key_secrets.expires_at AS "secretExpiresAt"`;

type Integer = bigint | string;

export interface CategoryCountRow {
	readonly categoryId: Integer;
	readonly count: Integer;
	readonly lastId: Integer;
}

export const categoryCountColumns = `category_id AS "categoryId", count(*) AS count, max(id) AS "lastId"`;

export function toCategoryCount(
	rows: readonly CategoryCountRow[],
): CategoryCount {
	let count = 0;
	let lastId: bigint | undefined;
	const byCategory = rows.map((row) => {
		const [id, own, last] = [row.categoryId, row.count, row.lastId];
		count += Number(own);
		if (lastId === undefined || BigInt(last) > lastId) lastId = BigInt(last);
		return [BigInt(id), Number(own)] as const;
	});
	return { count, lastId, byCategory };
}

export interface KeyRow {
	readonly id: Integer;
	readonly name: string;
	readonly hash: string;
	readonly prefix: string;
	readonly scope: KeyScope;
	readonly createdAt: Integer;
	readonly expiresAt: Integer | null;
	readonly revokedAt: Integer | null;
	readonly lastUsedAt: Integer | null;
}

export function toKey(row: KeyRow): Key {
	return {
		...row,
		id: Number(row.id),
		createdAt: Number(row.createdAt),
		expiresAt: toTime(row.expiresAt),
		revokedAt: toTime(row.revokedAt),
		lastUsedAt: toTime(row.lastUsedAt),
	};
}

export interface FoundKeyRow extends KeyRow {
	readonly secretExpiresAt: Integer | null;
}

export function toFoundKey({ secretExpiresAt, ...row }: FoundKeyRow): FoundKey {
	return { ...toKey(row), secretExpiresAt: toTime(secretExpiresAt) };
}

function toTime(value: Integer | null): number | undefined {
	return value === null ? undefined : Number(value);
}
