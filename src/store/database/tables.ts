// The tables, once for both engines. A new database is made from this list, and backup, restore and check go through it.
import { keyScopes } from "../../domain/access/key-scope.ts";
import { changeKinds, editKinds } from "../../domain/pet/change-kinds.ts";
import {
	fields,
	maxNameLength,
	type PetStatus,
	petNames,
	petStatuses,
	type StoredPet,
} from "../../domain/pet/pet.ts";

export interface Table {
	/** Identifies a row. Rows are read in its order. */
	readonly key: readonly string[];
	/** In the words of SQLite, by their names in records; `toSqlName` gives those in the database. */
	readonly columns: Readonly<Record<string, string>>;
	/** Conditions on several columns. */
	readonly checks?: readonly string[];
	/** By name. */
	readonly indexes?: Readonly<Record<string, string>>;
	/** Whether a backup has its rows; true if not given. */
	readonly isArchived?: false;
}

const int = "INTEGER NOT NULL";
const text = "TEXT NOT NULL";
const [optionalInt, optionalText] = ["INTEGER", "TEXT"];
const id = "INTEGER CHECK (id > 0)";
const only = "INTEGER CHECK (one = 1)";
const kind = `${text} CHECK (${isOneOf("kind", changeKinds)})`;

/** A number for each status. */
const totals: Readonly<Record<PetStatus, string>> = {
	available: int,
	pending: int,
	sold: int,
};

function isOneOf(column: string, values: readonly string[]): string {
	return `${column} IN ('${values.join("', '")}')`;
}

/** The members of an animal before a change, in the history. */
const contentNames = petNames.filter((name) => name !== "id");

/** Columns of an animal. `toRule` says whether they may be NULL. */
function toPetColumns(
	names: readonly (keyof StoredPet)[],
	toRule: (name: keyof StoredPet) => string,
): Record<string, string> {
	return Object.fromEntries(
		names.map((name) => {
			const { type } = fields[name];
			const check = type.toCheck?.(toSqlName(name));
			const rules = check === undefined ? "" : ` CHECK (${check})`;
			return [name, `${type.column}${toRule(name)}${rules}`];
		}),
	);
}

/** A table comes after the tables that it refers to. */
const described = {
	/** The last row is the state after the newest transaction, see edits/totals.ts. */
	counter: {
		key: ["number"],
		columns: {
			number: "INTEGER", // of the transaction
			last: int, // the last id of an animal, or position in the feed
			base: text, // what readers of the feed add to a position, in decimal, since it may be above int64
			course: text, // of PostgreSQL, see course.ts
			deltas: text, // JSON: what the transaction changed of the numbers by category and status
			folded: int, // the number of the transaction up to which those are in `counts`
			...totals, // of animals
		},
		isArchived: false,
	},
	/** One row. */
	catalogue: {
		key: ["one"],
		columns: {
			one: only,
			id: text, // random; backups have it in their names
			lastKeyId: int,
			madeAt: optionalInt, // when a backup was begun; NULL in a database that is served
			backedUpAt: optionalInt, // when the newest backup was begun
			backupTriedAt: optionalInt, // when one was begun, or failed; NULL after a success
			backupFailure: optionalText,
			backupFailures: int,
			contentHash: optionalText, // of a backup, see content-hash.ts; NULL in a database that is served
			bytes: optionalInt, // the size of a backup
		},
		isArchived: false,
	},
	pets: {
		key: ["id"],
		columns: {
			...toPetColumns(petNames, (name) =>
				fields[name].isOptional ? "" : " NOT NULL",
			),
			id,
			foldedName: text, // by `toComparable`, for searches
		},
		// An add appends to the end of a small index.
		indexes: Object.fromEntries(
			petStatuses.map((one) => [`pets_${one}`, `(id) WHERE status = '${one}'`]),
		),
	},
	/** The last change of each animal that was changed, removed or put back. The id of an added animal is its position, without a row here. */
	changes: {
		key: ["petId"],
		columns: { petId: "INTEGER", position: `${int} UNIQUE`, kind },
	},
	/** The numbers of animals, but for what the counter has, see edits/totals.ts. */
	counts: {
		key: ["categoryId", "status"],
		columns: { categoryId: int, status: text, pets: int },
	},
	keys: {
		key: ["id"],
		columns: {
			id,
			name: `${text} CHECK (length(name) <= ${maxNameLength})`,
			hash: `${text} UNIQUE`,
			prefix: text,
			scope: `${text} CHECK (${isOneOf("scope", keyScopes)})`,
			createdAt: int,
			expiresAt: optionalInt,
			revokedAt: optionalInt,
			lastUsedAt: optionalInt,
			deprecatedUseAt: optionalInt, // the last call of a deprecated operation
		},
		indexes: {
			keys_by_revocation: "(revoked_at)",
			keys_by_expiry: "(expires_at)",
		},
	},
	idempotencyKeys: {
		key: ["owner", "key"],
		columns: {
			owner: text,
			key: text,
			fingerprint: text,
			petId: int,
			usedAt: int,
		},
		indexes: { idempotency_keys_by_use: "(used_at)" },
	},
	categories: {
		key: ["id"],
		columns: {
			id: "INTEGER", // as animals have it
			name: `${text} CHECK (length(name) BETWEEN 1 AND 100)`,
			comparedName: `${text} UNIQUE`, // without regard to case
		},
	},
	imports: {
		key: ["id"],
		columns: {
			id: text, // the --import-id
			animals: `${int} CHECK (animals >= 0)`,
			finishedAt: int,
			contentHash: text, // SHA-256 of the file
		},
		indexes: { imports_by_end: "(finished_at)" },
	},
	/** Everything that one request, command or import changed. */
	edits: {
		key: ["id"],
		columns: {
			id: "INTEGER", // the position of its first change; the others follow, and then the animals that an import added
			at: int,
			author: text, // see `domain/access/author.ts`
			kind: `${text} CHECK (${isOneOf("kind", editKinds)})`,
			added: int,
			changed: int,
			removed: int,
			undoes: optionalInt, // the edit that it undid
			undoneBy: optionalInt, // the undo of this edit that is in effect
		},
		indexes: { edits_by_time: "(at)" },
	},
	history: {
		key: ["position"],
		columns: {
			position: "INTEGER", // in the feed; after a change it is the version of the animal
			petId: int,
			kind, // 'added' for an animal that was put back
			edit: int,
			// The animal before; NULL for one that was put back.
			...toPetColumns(contentNames, () => ""),
		},
		checks: [
			`kind = 'added' OR (${contentNames
				.filter((name) => !fields[name].isOptional)
				.map((name) => `${toSqlName(name)} IS NOT NULL`)
				.join(" AND ")})`,
		],
		indexes: { history_by_pet: "(pet_id, position)" },
	},
	sessions: {
		key: ["hash"],
		columns: {
			hash: text,
			keyHash: optionalText, // of the key that made it; NULL: made by a link, or by a key that is not stored
			name: optionalText, // of the person, if the link had one
			createdAt: int,
			lastUsedAt: int,
		},
		indexes: {
			sessions_by_use: "(last_used_at)",
			sessions_by_creation: "(created_at)",
		},
		isArchived: false,
	},
	signInLinks: {
		key: ["hash"],
		columns: { hash: text, expiresAt: int, name: optionalText },
		indexes: { sign_in_links_by_expiry: "(expires_at)" },
		isArchived: false,
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
export function toSelected(
	name: TableName,
	columns: readonly string[] = Object.keys(tables[name].columns),
): string {
	return columns
		.map((column) => `${toSqlName(name)}.${toSqlName(column)} AS "${column}"`)
		.join(", ");
}

/** A `StoredPet`. */
export const petColumns = toSelected("pets", petNames);

/** The statements that make all tables, in the SQL of SQLite. */
export function toSchema(): string {
	return tableNames
		.map((name) => {
			const { key, columns, checks = [], indexes = {} } = tables[name];
			const table = toSqlName(name);
			const lines = [
				...Object.entries(columns).map(
					([column, rules]) => `${toSqlName(column)} ${rules}`,
				),
				`PRIMARY KEY (${key.map(toSqlName).join(", ")})`,
				...checks.map((check) => `CHECK (${check})`),
			];
			// Any other key would be a second tree beside the rows.
			const [first = ""] = key;
			const isRowid = key.length === 1 && columns[first]?.startsWith("INTEGER");
			return [
				`CREATE TABLE ${table} (\n\t${lines.join(",\n\t")}\n) STRICT${isRowid ? "" : ", WITHOUT ROWID"}`,
				...Object.entries(indexes).map(
					([index, on]) => `CREATE INDEX ${index} ON ${table} ${on}`,
				),
			].join(";\n");
		})
		.join(";\n");
}

/** Marks a database as ours: "pet1" in ASCII. */
export const schemaMark = 0x7065_7431;
