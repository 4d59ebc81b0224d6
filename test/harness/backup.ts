// Backs a store up into a file, restores a backup into a store, and reads what a backup has.
import { Database } from "bun:sqlite";
import { Client } from "pg";
import { makeBackup } from "../../src/backups/make.ts";
import { byCommandLine } from "../../src/domain/access/author.ts";
import {
	tableNames,
	tables,
	toSqlName,
} from "../../src/store/database/tables.ts";
import { selectDeltas } from "../../src/store/edits/totals.ts";
import {
	inTransaction,
	type TransferOptions,
	transfer,
} from "../../src/store/files/transfer.ts";
import { openBackupFile } from "../../src/store/sqlite/backup-file.ts";
import { toSqliteText } from "../../src/store/sqlite/connection.ts";
import type { Store } from "../../src/store/store.ts";
import { temporaryFolder } from "./temporary.ts";

/** In a folder of its own. */
export async function backUp(store: Store, onRows?: TransferOptions["onRows"]) {
	const own = temporaryFolder();
	const folder = own.path;
	const { path } = await makeBackup(store.archive.read, { folder }, { onRows });
	return { ...own, path };
}

interface RestoreOptions extends Pick<TransferOptions, "onRows"> {
	readonly replace?: boolean;
}

export async function restore(
	store: Store,
	path: string,
	{ replace = false, ...options }: RestoreOptions = {},
): Promise<bigint | undefined> {
	using backup = openBackupFile(path);
	return await store.archive.write(() =>
		transfer(backup.runIn, inTransaction, {
			...options,
			...(replace && { replacedBy: byCommandLine() }),
		}),
	);
}

/** The rows of all tables that a backup has, as texts. */
export async function readRows(
	url: string,
): Promise<Record<string, unknown[]>> {
	const rows: Record<string, unknown[]> = {};
	const read = await openSql(url);
	for (const name of tableNames) {
		const { key, columns, isArchived = true } = tables[name];
		if (!isArchived) continue;
		const names = Object.keys(columns).map(toSqlName);
		rows[name] = await read.all(
			`SELECT ${names.map((column) => `CAST(${column} AS text) AS ${column}`).join(", ")}
			FROM ${name === "counts" ? counts : toSqlName(name)} ORDER BY ${key.map((column) => `${toSqlName(name)}.${toSqlName(column)}`).join(", ")}`,
		);
	}
	await read.close();
	return rows;
}

/** Whether they are folded or not. */
const counts = `(SELECT category_id, status, sum(pets) AS pets FROM (
		SELECT * FROM counts UNION ALL SELECT category_id, status, pets FROM (${selectDeltas}) AS deltas
	) AS all_counts GROUP BY category_id, status HAVING sum(pets) <> 0) AS counts`;

/** A connection of its own to the database of a store. */
export async function openSql(url: string) {
	if (url.startsWith("sqlite:")) {
		const db = new Database(url.slice("sqlite:".length), { readonly: true });
		return {
			all: async (text: string) => db.query(toSqliteText(text)).all(),
			close: async () => db.close(),
		};
	}
	const client = new Client(url);
	await client.connect();
	await client.query("SET search_path = petstore");
	return {
		all: async (text: string) => (await client.query(text)).rows,
		close: () => client.end(),
	};
}
