// The tables of a database, the same in both engines. Backup, restore and check use this list, and a test compares it with new databases.
import type { Awaitable } from "../../domain/async.ts";
import { fields, petNames, type StoredPet } from "../../domain/pet.ts";
import { idempotencyLifetimeMs } from "../../limits.ts";

/** An int64 is a bigint. A time is a number, in milliseconds since 1970. */
type ColumnKind = "text" | "number" | "int64";

export interface Table {
	/** Identifies a row. Rows are read in its order. */
	readonly key: readonly string[];
	/** By their names in records; `toSqlName` gives those in the database. */
	readonly columns: Readonly<Record<string, ColumnKind>>;
	/** An SQL condition for the rows that an archive has; all rows if not given. */
	readonly isArchived?: () => string;
}

/** The members of an animal before a change, in the history. */
export const contentNames = petNames.filter((name) => name !== "id");

function toColumns(names: readonly (keyof StoredPet)[]) {
	const toKind = (name: keyof StoredPet): ColumnKind =>
		fields[name].type.column === "TEXT" ? "text" : "int64";
	return Object.fromEntries(names.map((name) => [name, toKind(name)]));
}

/** A table comes after the tables that it refers to. */
const described = {
	pets: {
		key: ["id"],
		columns: toColumns(petNames),
	},
	changes: {
		key: ["petId"],
		columns: { position: "int64", petId: "int64", kind: "text" },
	},
	catalogue: {
		key: ["id"],
		columns: { id: "text", feedBase: "text" },
	},
	keys: {
		key: ["id"],
		columns: {
			id: "number",
			name: "text",
			hash: "text",
			prefix: "text",
			scope: "text",
			createdAt: "number",
			expiresAt: "number",
			revokedAt: "number",
			lastUsedAt: "number",
			deprecatedUseAt: "number",
		},
	},
	idempotencyKeys: {
		key: ["owner", "key"],
		columns: {
			owner: "text",
			key: "text",
			fingerprint: "text",
			petId: "int64",
			usedAt: "number",
		},
		isArchived: () => `used_at > ${Date.now() - idempotencyLifetimeMs}`,
	},
	categories: {
		key: ["id"],
		columns: { id: "int64", name: "text", comparedName: "text" },
	},
	imports: {
		key: ["id"],
		columns: {
			id: "text",
			animals: "number",
			finishedAt: "number",
			contentHash: "text",
		},
	},
	history: {
		key: ["position"],
		columns: {
			position: "int64",
			petId: "int64",
			kind: "text",
			at: "number",
			byKind: "text",
			byId: "text",
			byName: "text",
			...toColumns(contentNames),
		},
	},
	sessions: {
		key: ["hash"],
		columns: {
			hash: "text",
			keyHash: "text",
			name: "text",
			createdAt: "number",
			lastUsedAt: "number",
		},
	},
	signInLinks: {
		key: ["hash"],
		columns: { hash: "text", expiresAt: "number", name: "text" },
	},
} satisfies Readonly<Record<string, Table>>;

export type TableName = keyof typeof described;

export const tables: Readonly<Record<TableName, Table>> = described;

export const tableNames = Object.keys(tables).filter(
	(name): name is TableName => name in tables,
);

/** `keyId` becomes `key_id`. */
export function toSqlName(name: string): string {
	return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The columns of a SELECT, with their names in records. */
export function toSelected({ columns }: Table): string {
	return Object.keys(columns)
		.map((name) => `${toSqlName(name)} AS "${name}"`)
		.join(", ");
}

/** Inserts the rows of `values`. `replace` overwrites rows with the same key, which fail otherwise. */
export function toInsert(
	name: TableName,
	values: string,
	replace: boolean,
): string {
	const { key, columns } = tables[name];
	const names = Object.keys(columns).map(toSqlName);
	const sets = names.map((column) => `${column} = excluded.${column}`);
	const onConflict = `ON CONFLICT (${key.map(toSqlName).join(", ")}) DO UPDATE SET ${sets.join(", ")}`;
	return `INSERT INTO petstore.${toSqlName(name)} (${names.join(", ")}) ${values} ${replace ? onConflict : ""}`;
}

/** A row by the names of its columns, as an archive has it. */
export type Row = Readonly<
	Record<string, string | number | bigint | null | undefined>
>;

/** A row as an engine gives it: an integer may be text, and NULL is null. */
export type EngineRow = Readonly<
	Record<string, string | number | bigint | null>
>;

export function toRow({ columns }: Table, found: EngineRow): Row {
	const row: Record<string, Row[string]> = {};
	for (const [name, kind] of Object.entries(columns)) {
		const value = found[name];
		if (value === null || value === undefined) row[name] = undefined;
		else row[name] = kind === "text" ? value : toInteger[kind](value);
	}
	return row;
}

const toInteger = { number: Number, int64: BigInt };

/** How the requests of a service run statements, each in a transaction of its own. */
export interface SqlRequests {
	readonly read: (
		...statement: Parameters<Sql>
	) => Promise<readonly EngineRow[]>;
	readonly write: SqlRequests["read"];
}

/** The SQL that both engines understand, with tables as `petstore.pets` and values as `$1`. */
export type Sql = (
	text: string,
	values?: readonly (string | number | bigint | null)[],
) => Awaitable<readonly EngineRow[]>;
