// The API keys. The store has only their hashes.
import { toKeyId } from "../../domain/access/author.ts";
import type { KeyScope } from "../../domain/access/key-scope.ts";
import { keyUseIntervalMs } from "../../limits.ts";
import { openLookup } from "../database/batch.ts";
import type { Engine } from "../database/engine.ts";
import {
	all,
	findAmong,
	first,
	insertRows,
	type Row,
	run,
	toPlain,
	type Work,
} from "../database/sql.ts";
import { toSelected } from "../database/tables.ts";

/**
 * How far the clocks of machines may differ. A key or session from further in the future comes from a wrong clock, and counts as ended: it
 * could be valid for years.
 */
export const maxClockSkewMs = 60_000;

export type Keys = ReturnType<typeof openKeys>;

export interface KeyChange {
	readonly name?: string | undefined;
	/** null: it does not expire. */
	readonly expiresAt?: number | null | undefined;
}

interface KeyPage {
	/** Any int64, even one that is no id. */
	readonly after?: bigint | undefined;
	readonly limit: number;
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

export function openKeys(engine: Engine) {
	const { read, write } = engine;
	/** The rights of keys that are durable, so that they count while nothing becomes durable. A revocation counts at once. */
	const known = new Map<string, string>();
	const findRow = openLookup<Row>(
		engine,
		"find key",
		`${select} WHERE`,
		"hash",
		({ hash }) => String(hash),
		undefined,
		{
			isDurable: (row) => {
				const key = toPlain<Key>(row);
				return (
					key.revokedAt !== undefined || known.get(key.hash) === toRights(key)
				);
			},
			onDurable(row) {
				const key = toPlain<Key>(row);
				if (known.size >= maxKnown) known.clear();
				known.set(key.hash, toRights(key));
			},
		},
	);
	return {
		add: (key: NewKey) => write(() => add(key)),

		/** In the order of their ids, those after one of them; all if no page is given. */
		async list({
			after = 0n,
			limit,
		}: KeyPage = allKeys): Promise<readonly Key[]> {
			const rows = await read(() =>
				all<Row>(
					"list keys",
					`${select} WHERE id > $1 ORDER BY id LIMIT $2 + 0`,
					[after, limit],
				),
			);
			return rows.map(toPlain<Key>);
		},

		/** Of the keys among these authors, by their ids. */
		readNames: async (
			authors: readonly Author[],
		): Promise<ReadonlyMap<bigint, string>> =>
			read(() => findKeyNames(authors)),

		async find(hash: string): Promise<Key | undefined> {
			const row = await findRow(hash);
			return row && toPlain<Key>(row);
		},

		/** Returns the changed key; undefined if no key has this id. The expiry of a revoked key cannot be changed. */
		change: (id: number, change: KeyChange) => write(() => set(id, change)),

		/** Returns the key as it was before; undefined if no key has this id. */
		revoke: (id: number, at: number) =>
			write(function* () {
				const key = yield* get(id);
				if (key !== undefined && key.revokedAt === undefined)
					yield* run(
						"revoke key",
						"UPDATE keys SET revoked_at = $1 WHERE id = $2",
						[at, id],
					);
				return key;
			}),

		recordUse: toUseRecord(engine, "keys", "last_used_at"),
		/** Of a deprecated operation. */
		recordDeprecatedUse: toUseRecord(engine, "keys", "deprecated_use_at"),
	};
}

const maxKnown = 1_000;

function toRights({ scope, expiresAt }: Key): string {
	return `${scope} ${expiresAt}`;
}

/** Sets the time of the last use, unless it was set less than `keyUseIntervalMs` before. A time in the future is replaced. */
export function toUseRecord(
	{ write }: Engine,
	table: "keys" | "sessions",
	column: "last_used_at" | "deprecated_use_at",
) {
	const text = `UPDATE ${table} SET ${column} = $1 WHERE hash = $2 AND (${column} IS NULL OR ${column} <= $3 OR ${column} > $4)`;
	return (hash: string, at: number): Promise<void> => {
		const values = [at, hash, at - keyUseIntervalMs, at + maxClockSkewMs];
		return write(() => run("record use", text, values));
	};
}

type Author = string | null | undefined;

/** Those that have no name. */
export function* findKeyNames(
	authors: readonly Author[],
): Work<ReadonlyMap<bigint, string>> {
	const ids = new Set(authors.flatMap((author) => toKeyId(author) ?? []));
	const keys = yield* findAmong<{ id: bigint; name: string }>(
		"find key names",
		"SELECT id, name FROM keys WHERE id IN (#)",
		[...ids].map((id) => [id]),
	);
	return new Map(keys.map(({ id, name }) => [id, name]));
}

const allKeys: KeyPage = { limit: 2 ** 31 - 1 };

const select = `SELECT ${toSelected("keys")} FROM keys`;

function* get(id: number): Work<Key | undefined> {
	const row = yield* first<Row>("find key", `${select} WHERE id = $1`, [id]);
	return row && toPlain<Key>(row);
}

/** No id is given twice, even if its key was deleted. */
function* add(key: NewKey): Work<Key> {
	const drawn = yield* first<{ id: bigint }>(
		"draw key id",
		"UPDATE catalogue SET last_key_id = last_key_id + 1 RETURNING last_key_id AS id",
	);
	const id = Number(drawn?.id);
	yield* insertRows("keys", [{ ...key, id }]);
	return {
		...key,
		id,
		revokedAt: undefined,
		lastUsedAt: undefined,
		deprecatedUseAt: undefined,
	};
}

function* set(
	id: number,
	change: KeyChange,
): Work<Key | "revoked" | undefined> {
	const key = yield* get(id);
	if (key === undefined) return undefined;
	const { name = key.name, expiresAt = key.expiresAt } = change;
	if (change.expiresAt !== undefined && key.revokedAt !== undefined)
		return "revoked";
	const changed = { ...key, name, expiresAt: expiresAt ?? undefined };
	yield* insertRows("keys", [changed], "replace");
	return changed;
}

/** A future time comes from a wrong clock. */
export function isInFuture(time: number, now: number): boolean {
	return time > now + maxClockSkewMs;
}
