// Reads all data of a PostgreSQL database, and writes it into one. Imports use its transactions.
import type { Client, ClientBase } from "pg";
import type { Archive, Part } from "../../archive/archive.ts";
import { type ArchiveSource, readParts } from "../../archive/read.ts";
import { tables, toInsert } from "../../archive/tables.ts";
import type { ArchiveTarget, Transact } from "../../archive/write.ts";
import { exportRows } from "../../export.ts";
import { openLongConnection } from "../connection.ts";
import { type Queryable, query, toSql } from "../database.ts";
import { nextId, readEpoch, setEpoch } from "../feed/epoch.ts";
import { beginSnapshot, preparePages } from "./export.ts";
import { withLockedTables } from "./table-lock.ts";

/** Adds lock the table before they draw ids from the sequence, so none draws one while the table is locked. */
export function toTransact(url: string): Transact {
	return (tables, options, write) =>
		withLockedTables(url, tables, options, (client) => write(toTarget(client)));
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
