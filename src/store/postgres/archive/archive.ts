// Reads all data of a PostgreSQL database, and writes it into one.

import { setTimeout as sleep } from "node:timers/promises";
import type { ClientBase } from "pg";
import type { Archive, OnlineOptions, Part } from "../../archive/archive.ts";
import { type ArchiveSource, readParts } from "../../archive/read.ts";
import {
	type Table,
	tableNames,
	toSqlName,
	toTable,
} from "../../archive/tables.ts";
import {
	type ArchiveTarget,
	type OnConflict,
	type Preparation,
	toArchiveWrites,
	writeParts,
} from "../../archive/write.ts";
import { exportRows } from "../../export.ts";
import type { WaitOptions } from "../../wait.ts";
import {
	openLongConnection,
	withLongConnection,
} from "../connections/connection.ts";
import { type Queryable, query, toSql } from "../database.ts";
import { readEpoch, setEpoch } from "../feed/epoch.ts";
import { preparePages } from "./export.ts";
import { beginSnapshot } from "./older-schema.ts";
import { beginLocked, lockTables } from "./table-lock.ts";

export function openArchive(url: string): Archive {
	const write = (
		prepare: Preparation,
		parts: AsyncIterable<Part>,
		options: WaitOptions = {},
	) =>
		withLongConnection(url, "write", (client) =>
			writeArchive(client, prepare, parts, options),
		);

	return {
		...openArchiveReader(url),
		...toArchiveWrites(write),
	};
}

export function openArchiveReader(
	url: string,
): Pick<Archive, "read" | "readOnline"> {
	async function* read({
		pauseMs = 0,
	}: OnlineOptions = {}): AsyncGenerator<Part> {
		const client = await openLongConnection(url, "read");
		try {
			for await (const part of readArchive(client)) {
				yield part;
				if (pauseMs > 0) await sleep(pauseMs);
			}
		} finally {
			await client.end();
		}
	}
	return {
		read: () => read(),
		// A long snapshot keeps PostgreSQL from nothing but cleaning up rows that were changed meanwhile.
		readOnline: read,
	};
}

/** In one snapshot, so all parts are of one moment. */
export async function* readArchive(client: ClientBase): AsyncGenerator<Part> {
	yield* readParts(toSource(await beginSnapshot(client)));
}

/** In one transaction. Returns false, and writes nothing, if the preparation refuses. */
async function writeArchive(
	client: ClientBase,
	prepare: Preparation,
	parts: AsyncIterable<Part>,
	options: WaitOptions,
): Promise<boolean> {
	// Adds draw their ids from the sequence after they have locked the table, so none can draw one from here on.
	const locked = tableNames.map((name) => `petstore.${toSqlName(name)}`);
	await beginLocked(client, () => lockTables(client, locked), options);
	const isWritten = await writeParts(toTarget(client), prepare, parts);
	if (isWritten) await query(client, "COMMIT");
	return isWritten;
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
		async insert(name, rows, onConflict) {
			const table = toTable(name);
			const columns = Object.keys(table.columns);
			const arrays = Object.values(table.columns).map(
				(kind, index) =>
					`$${index + 1}::${kind === "text" ? "text" : "int8"}[]`,
			);
			await query(
				client,
				`INSERT INTO petstore.${toSqlName(name)} (${columns.map(toSqlName).join(", ")})
				SELECT * FROM unnest(${arrays.join(", ")}) ${clauses[onConflict](table)}`,
				columns.map((column) => rows.map((row) => row[column] ?? null)),
			);
		},
	};
}

const clauses: Readonly<Record<OnConflict, (table: Table) => string>> = {
	fail: () => "",
	ignore: () => "ON CONFLICT DO NOTHING",
	replace: ({ key, columns }) =>
		`ON CONFLICT (${key.map(toSqlName).join(", ")}) DO UPDATE SET ${Object.keys(
			columns,
		)
			.map(toSqlName)
			.map((column) => `${column} = excluded.${column}`)
			.join(", ")}`,
};
