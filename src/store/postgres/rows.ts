// Rows as PostgreSQL returns them, and their conversion to records. An int8 arrives as text.
import type { KeyScope } from "../../contract/key-scope.ts";
import type { PetStatus, StoredPet } from "../../contract/pet.ts";
import type { FoundPet } from "../catalogue.ts";
import type { FoundKey, Key } from "../keys.ts";
import { longNameBytes } from "../long-page.ts";

export const petColumns = `id, name, category_id AS "categoryId", status, coalesce(version, id) AS version, added_at AS "addedAt", added_by AS "addedBy"`;
export const foundPetColumns = `${petColumns}, (SELECT feed_base FROM petstore.catalogue) AS epoch`;
/** The same without names that are long. */
export const shortPetColumns = petColumns.replace(
	"name",
	`CASE WHEN octet_length(name) <= ${longNameBytes} THEN name END AS name`,
);
export const keyColumns = `id, name, hash, prefix, scope, created_at AS "createdAt",
	expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt"`;

export interface PetRow {
	readonly id: string;
	readonly name: string;
	readonly categoryId: string;
	readonly status: PetStatus;
	readonly version: string;
	readonly addedAt: string | null;
	readonly addedBy: string | null;
}

export interface FoundPetRow extends PetRow {
	readonly epoch: string;
}

export function toPet(row: PetRow): StoredPet {
	const { id, name, categoryId, status, version, addedAt, addedBy } = row;
	return {
		id: BigInt(id),
		name,
		categoryId: BigInt(categoryId),
		status,
		version: BigInt(version),
		addedAt: addedAt === null ? null : BigInt(addedAt),
		addedBy: addedBy === null ? null : BigInt(addedBy),
	};
}

export function toFoundPet({ epoch, ...row }: FoundPetRow): FoundPet {
	return { ...toPet(row), epoch };
}

export interface KeyRow {
	readonly id: string;
	readonly name: string;
	readonly hash: string;
	readonly prefix: string;
	readonly scope: KeyScope;
	readonly createdAt: string;
	readonly expiresAt: string | null;
	readonly revokedAt: string | null;
	readonly lastUsedAt: string | null;
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

/** Of a row of key_secrets joined with its key. */
export const foundKeyColumns = `keys.id, name, keys.hash, prefix, scope, created_at AS "createdAt",
	keys.expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt", key_secrets.expires_at AS "secretExpiresAt"`;

export interface FoundKeyRow extends KeyRow {
	readonly secretExpiresAt: string | null;
}

export function toFoundKey({ secretExpiresAt, ...row }: FoundKeyRow): FoundKey {
	return { ...toKey(row), secretExpiresAt: toTime(secretExpiresAt) };
}

export function toTime(value: string | null): number | undefined {
	return value === null ? undefined : Number(value);
}
