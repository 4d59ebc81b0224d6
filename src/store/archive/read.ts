// Reads the parts of an archive, from either engine.
import type { Awaitable } from "../../domain/async.ts";
import type { ExportPage } from "../export.ts";
import {
	type ArchivedTable,
	archivedTables,
	archiveRows,
	type Epoch,
	type Part,
} from "./archive.ts";
import {
	type Row,
	type Sql,
	tables,
	toRow,
	toSelected,
	toSqlName,
} from "./tables.ts";

/** What an engine provides for reading. */
export interface ArchiveSource {
	readonly sql: Sql;
	readonly readEpoch: () => Awaitable<Epoch>;
	/** The next animals after an id; undefined at the end. */
	readonly readPets: (after: bigint) => Awaitable<ExportPage | undefined>;
}

/** Reads all parts. The caller begins a transaction, so that they are of one moment. */
export async function* readParts(source: ArchiveSource): AsyncGenerator<Part> {
	yield { kind: "epoch", ...(await source.readEpoch()) };
	yield* readPets(source);
	yield* readRemovedIds(source);
	yield await countPets(source);
	for (const name of archivedTables) yield* readTable(source, name);
}

async function* readPets({ readPets }: ArchiveSource): AsyncGenerator<Part> {
	let page = await readPets(0n);
	while (page !== undefined) {
		yield { kind: "pets", rows: page.pets };
		page = await readPets(page.lastId);
	}
}

export async function countPets({ sql }: { sql: Sql }) {
	const [row] = await sql("SELECT count(*) AS count FROM petstore.pets");
	return { kind: "count", pets: Number(row?.count) } as const;
}

async function* readRemovedIds({ sql }: ArchiveSource): AsyncGenerator<Part> {
	for (let after: bigint | undefined = 0n; after !== undefined; ) {
		const found = await sql(
			`SELECT pet_id AS id FROM petstore.changes WHERE kind = 'removed' AND pet_id > $1
			ORDER BY pet_id LIMIT ${archiveRows}`,
			[after],
		);
		const rows: bigint[] = found.map(({ id }) => BigInt(id ?? 0));
		if (rows.length > 0) yield { kind: "removedIds", rows };
		after = rows.at(-1);
	}
}

/** In the order of its key, one slice after the other. */
async function* readTable(
	{ sql }: ArchiveSource,
	name: ArchivedTable,
): AsyncGenerator<Part> {
	const table = tables[name];
	const key = table.key.map(toSqlName).join(", ");
	const isAfter = `(${key}) > (${table.key.map((_, index) => `$${index + 1}`).join(", ")})`;
	const condition = table.isArchived?.() ?? "true";
	for (let last: Row | undefined; ; ) {
		const found = await sql(
			`SELECT ${toSelected(table)} FROM petstore.${toSqlName(name)}
			WHERE ${condition} AND ${last ? isAfter : "true"} ORDER BY ${key} LIMIT ${archiveRows}`,
			last ? table.key.map((column) => last?.[column] ?? null) : [],
		);
		const rows = found.map((row) => toRow(table, row));
		if (rows.length > 0) yield { kind: name, rows };
		last = rows.at(-1);
		if (rows.length < archiveRows) return;
	}
}
