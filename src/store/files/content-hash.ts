// The SHA-256 of the content of a backup: all rows of all tables in the order of their keys.
import { all, partRows, type Row, type Work } from "../database/sql.ts";
import {
	type TableName,
	tableNames,
	tables,
	toSelected,
	toSqlName,
} from "../database/tables.ts";

/** Rows that a transfer writes as it has read them, so that they are hashed on the way. The others are read from the backup at its end. */
const isCopied = (name: TableName) =>
	tables[name].isArchived !== false && name !== "counts";

export type ContentHash = ReturnType<typeof createContentHash>;

export function createContentHash() {
	const hash = new Bun.CryptoHasher("sha256");

	function add(name: TableName, rows: readonly Row[]): void {
		const columns = Object.keys(tables[name].columns).filter(
			(column) => !seal.includes(column),
		);
		let text = "";
		for (const row of rows) {
			text += name;
			// With its length, a text cannot end early and go on as the next column.
			for (const column of columns) {
				const value = row[column];
				text +=
					typeof value === "string"
						? `,${value.length}"${value}`
						: `,${value ?? null}`;
			}
		}
		hash.update(text);
	}

	return {
		/** Of a transfer. */
		add(name: TableName, rows: readonly Row[]): void {
			if (isCopied(name)) add(name, rows);
		},
		/** In the backup. */
		*end(): Work<string> {
			for (const name of tableNames)
				if (!isCopied(name)) yield* addAll(name, add);
			return hash.digest("hex");
		},
	};
}

/** Columns of `catalogue` that come after the rest. */
const seal: readonly string[] = ["contentHash", "bytes"];

/** In a backup. */
export function* hashContent(): Work<string> {
	const hash = createContentHash();
	for (const name of tableNames)
		if (isCopied(name)) yield* addAll(name, hash.add);
	return yield* hash.end();
}

function* addAll(
	name: TableName,
	add: (name: TableName, rows: readonly Row[]) => void,
): Work<void> {
	for (let last: Row | undefined; ; ) {
		const rows: readonly Row[] = yield* readPart(name, last);
		add(name, rows);
		if (rows.length < partRows) return;
		last = rows.at(-1);
	}
}

/** The next rows in the order of the key. */
export function* readPart(
	name: TableName,
	last: Row | undefined,
): Work<readonly Row[]> {
	const { key } = tables[name];
	const columns = key.map(toSqlName).join(", ");
	const marks = key.map((_, at) => `$${at + 1}`).join(", ");
	const isAfter = last ? `WHERE (${columns}) > (${marks})` : "";
	return yield* all<Row>(
		"read next rows",
		`SELECT ${toSelected(name)} FROM ${toSqlName(name)} ${isAfter} ORDER BY ${columns} LIMIT ${partRows}`,
		last ? key.map((column) => last[column] ?? null) : [],
	);
}
