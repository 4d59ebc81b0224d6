// Reads all data of a PostgreSQL database, and writes it into one. Imports use its transactions.
import type { Client, ClientBase } from "pg";
import { StoreFailure, storeWroteNothing } from "../../../domain/errors.ts";
import { tableLockMs } from "../../../limits.ts";
import type { Archive, Part } from "../../archive/archive.ts";
import { type ArchiveSource, readParts } from "../../archive/read.ts";
import {
	type TableName,
	tables,
	toInsert,
	toSqlName,
} from "../../archive/tables.ts";
import {
	type ArchiveTarget,
	type Transact,
	wroteNothing,
} from "../../archive/write.ts";
import { exportRows } from "../../export.ts";
import { openLongConnection, withLongConnection } from "../connection.ts";
import { type Queryable, query, toSql } from "../database.ts";
import { isLockTimeout } from "../errors.ts";
import { nextId, readEpoch, setEpoch } from "../feed/epoch.ts";
import { beginSnapshot, preparePages } from "./export.ts";

/** Adds lock the table before they draw ids from the sequence, so none draws one while the table is locked. */
export function toTransact(url: string): Transact {
	return (tables, _options, write) =>
		withLongConnection(url, "write", async (client) => {
			const result = await lockTables(client, tables)
				.then(() => write(toTarget(client)))
				.catch(wroteNothing);
			await query(client, "COMMIT");
			return result;
		});
}

/** Begins a transaction. Other writers of the tables wait for its end, and behind it while it waits. Readers do not. */
async function lockTables(
	client: ClientBase,
	tables: readonly TableName[],
): Promise<void> {
	const names = tables.map((name) => `petstore.${toSqlName(name)}`);
	await query(client, "BEGIN ISOLATION LEVEL READ COMMITTED");
	await query(client, `SET LOCAL lock_timeout = ${tableLockMs}`);
	try {
		await query(client, `LOCK TABLE ${names.join(", ")} IN EXCLUSIVE MODE`);
	} catch (error) {
		const cause = error instanceof StoreFailure ? error.cause : error;
		if (!isLockTimeout(cause)) throw error;
		throw storeWroteNothing(
			new Error(
				"another transaction uses the tables; pg_stat_activity shows it",
			),
		);
	}
	await query(client, "SET LOCAL lock_timeout = 0");
}

export function openArchiveReader(url: string): Pick<Archive, "read"> {
	return {
		async *read() {
			const client = await openLongConnection(url, "read");
			try {
				yield* readArchive(client);
			} finally {
				await client.end();
			}
		},
	};
}

/** In one snapshot, so all parts are of one moment. */
export async function* readArchive(client: Client): AsyncGenerator<Part> {
	await beginSnapshot(client);
	yield* readParts(toSource(client));
}

export function toSource(db: Queryable): ArchiveSource {
	const next = preparePages(db, {});
	return {
		sql: toSql(db),
		readEpoch: () => readEpoch(db),
		readPets: (after) => next(after, exportRows),
	};
}

function toTarget(client: ClientBase): ArchiveTarget {
	return {
		sql: toSql(client),
		readEpoch: () => readEpoch(client),
		setEpoch: (epoch) => setEpoch(client, epoch),
		async drawIds(count) {
			const rows = await query<{ id: string }>(
				client,
				`SELECT ${nextId} AS id FROM generate_series(1, $1)`,
				[count],
			);
			return rows.map(({ id }) => BigInt(id));
		},
		async insert(name, rows, replace = false) {
			const columns = Object.entries(tables[name].columns);
			const arrays = columns.map(
				([, kind], index) =>
					`$${index + 1}::${kind === "text" ? "text" : "int8"}[]`,
			);
			await query(
				client,
				toInsert(name, `SELECT * FROM unnest(${arrays.join(", ")})`, replace),
				columns.map(([column]) => rows.map((row) => row[column] ?? null)),
			);
		},
	};
}
