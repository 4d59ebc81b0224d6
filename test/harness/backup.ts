// Backs a store up into a file, restores a backup into a store, and reads what a backup has.
import { Database } from "bun:sqlite";
import { Client } from "pg";
import { makeBackup } from "../../src/backups/make.ts";
import { byCommandLine } from "../../src/domain/author.ts";
import { openBackupFile } from "../../src/store/sqlite/backup-file.ts";
import type { Store } from "../../src/store/store.ts";
import { tableNames, tables, toSqlName } from "../../src/store/tables.ts";
import {
	here,
	type TransferOptions,
	transfer,
} from "../../src/store/transfer.ts";
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
		transfer(backup.place, here, {
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
			FROM ${toSqlName(name)} ORDER BY ${key.map((column) => `${toSqlName(name)}.${toSqlName(column)}`).join(", ")}`,
		);
	}
	await read.close();
	return rows;
}

/** A connection of its own to the database of a store. */
export async function openSql(url: string) {
	if (url.startsWith("sqlite:")) {
		const db = new Database(url.slice("sqlite:".length), { readonly: true });
		return {
			all: async (text: string) => db.query(text).all(),
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
