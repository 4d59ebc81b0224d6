// Catalogues in a PostgreSQL server that the benchmark starts when first needed.
import { Client } from "pg";
import { openStore } from "../../src/store/open.ts";
import {
	execute,
	type PostgresServer,
	startPostgres,
} from "../../test/harness/postgres/server.ts";
import { withDescendants } from "../machine/processes.ts";
import { processorTimeNs } from "../machine/processor-time.ts";
import { addKeys, type Catalogues, columns } from "./catalogue.ts";

export function openPostgresCatalogues(): Catalogues {
	const made = new Set<number>();
	let started: Promise<PostgresServer> | undefined;
	let pid = 0;
	let copies = 0;

	const server = async () => {
		started ??= startPostgres();
		pid = (await started).pid();
		return started;
	};
	const make = async (animals: number) => {
		const { url } = await server();
		const name = `animals_${animals}`;
		if (!made.has(animals)) await fill(url, name, animals);
		made.add(animals);
		return { url, name };
	};
	return {
		async prepare(animals, isCopy) {
			const { url, name } = await make(animals);
			if (!isCopy)
				return { location: toUrl(url, name), removeCopy: async () => {} };
			const copy = `copy_${copies++}`;
			await execute(url, `CREATE DATABASE ${copy} TEMPLATE ${name}`);
			return {
				location: toUrl(url, copy),
				removeCopy: () => execute(url, `DROP DATABASE ${copy} WITH (FORCE)`),
			};
		},
		async bytesPerAnimal(animals) {
			const { url, name } = await make(animals);
			return (await sizeOf(toUrl(url, name))) / animals;
		},
		processorTimeNs: () =>
			withDescendants(pid).map(processorTimeNs).reduce(add, 0),
		async close() {
			await (await started)?.remove();
		},
	};
}

function add(a: number, b: number): number {
	return a + b;
}

async function fill(url: string, name: string, animals: number): Promise<void> {
	await execute(url, `CREATE DATABASE ${name}`);
	const database = toUrl(url, name);
	const store = await openStore(database, { create: true });
	await addKeys(store.keys);
	await store.close();
	await execute(
		database,
		`INSERT INTO petstore.pets (id, name, category_id, status)
		SELECT ${columns} FROM generate_series(1, ${animals}) AS numbers (i)`,
	);
	await execute(database, `SELECT setval('petstore.pet_ids', ${animals})`);
	await execute(database, "VACUUM ANALYZE petstore.pets");
	await execute(database, "CHECKPOINT");
}

async function sizeOf(database: string): Promise<number> {
	const client = new Client({ connectionString: database });
	await client.connect();
	const { rows } = await client.query<{ bytes: string }>(
		"SELECT pg_total_relation_size('petstore.pets') AS bytes",
	);
	await client.end();
	return Number(rows[0]?.bytes);
}

function toUrl(server: string, name: string): string {
	const url = new URL(server);
	url.pathname = name;
	return url.href;
}
