// Runs the tests of the store on each engine.

import { Database as SqliteFile } from "bun:sqlite";
import { afterAll, beforeAll, describe } from "bun:test";
import { Client } from "pg";
import { byCommandLine } from "../../src/domain/access/author.ts";
import type { FileUpdate } from "../../src/formats/pet.ts";
import type { Addition } from "../../src/store/database/engine.ts";
import type {
	FileLine,
	Imported,
	ImportOptions,
} from "../../src/store/files/import.ts";
import { writerLock } from "../../src/store/postgres/connection.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { rex } from "../harness/pet.ts";
import { createDatabase, execute } from "../harness/postgres/server.ts";
import { temporaryDatabase } from "../harness/temporary.ts";
import { startMs } from "../service.ts";

export const engines = ["sqlite", "postgres"] as const;
export type Engine = (typeof engines)[number];

export interface Database {
	readonly url: string;
	readonly remove: () => void | Promise<void>;
}

export async function newDatabase(engine: Engine): Promise<Database> {
	return engine === "sqlite" ? temporaryDatabase() : createDatabase();
}

/** A new store on a database of its own. Both end with the block. */
export async function openNewStore(engine: Engine) {
	const { url, remove } = await newDatabase(engine);
	const store = await openStore(url, { access: "create" });
	return {
		...store,
		url,
		async [Symbol.asyncDispose]() {
			await store.close();
			await remove();
		},
	};
}

export function isFile(url: string): boolean {
	return url.startsWith("sqlite:");
}

export function toPath(url: string): string {
	return url.slice("sqlite:".length);
}

/** Runs SQL in a database beside the service. `toStatements` gets what comes before the name of a table. */
export async function executeOn(
	engine: Engine,
	url: string,
	toStatements: (schema: string) => readonly string[],
): Promise<void> {
	if (engine === "postgres") {
		for (const sql of toStatements("petstore.")) await execute(url, sql);
		return;
	}
	const db = new SqliteFile(toPath(url));
	db.run("PRAGMA busy_timeout = 5000");
	for (const sql of toStatements("")) db.run(sql);
	db.close();
}

/** Adds an animal, and returns its id. */
export async function add(
	{ catalogue }: Pick<Store, "catalogue">,
	addition: Partial<Addition> = {},
): Promise<bigint> {
	const added = await catalogue.addPet({ pet: rex, ...addition });
	if (added.outcome !== "added") throw new Error(added.outcome);
	return added.id;
}

/** Holds the lock of all writers, and returns what frees it. */
export async function holdLock(url: string): Promise<() => Promise<void>> {
	if (isFile(url)) {
		const db = new SqliteFile(toPath(url));
		db.run("BEGIN IMMEDIATE");
		return async () => db.close();
	}
	const client = new Client(url);
	await client.connect();
	await client.query(`BEGIN; SELECT ${writerLock}`);
	return () => client.end();
}

/** Imports animals as a file with these lines. */
export function importLines(
	store: Store,
	pets: readonly Partial<FileUpdate>[],
	options: Partial<ImportOptions> = {},
): Promise<Imported> {
	return store.imports.write(toLines(pets), {
		createCategories: false,
		toName: String,
		importId: undefined,
		contentHash: "",
		authored: byCommandLine(),
		onProgress() {},
		signal: new AbortController().signal,
		...options,
	});
}

export function toLines(
	pets: readonly Partial<FileUpdate>[],
): readonly FileLine[] {
	return pets.map((pet, index) => ({
		line: index + 1,
		pet: { id: undefined, ...pet },
	}));
}

/** Two stores on one database, as two processes would have them. */
export interface Stores {
	readonly store: Store;
	readonly other: Store;
	readonly engine: Engine;
	readonly url: string;
}

/** Registers the tests once for each engine. `stores()` returns those of the running test. */
export function onEachEngine(register: (stores: () => Stores) => void): void {
	describe.each(engines)("%s", (engine) => {
		let database: Database;
		let stores: Stores;
		beforeAll(async () => {
			database = await newDatabase(engine);
			const open = () => openStore(database.url, { access: "create" });
			stores = {
				store: await open(),
				other: await open(),
				engine,
				url: database.url,
			};
		}, startMs);
		afterAll(async () => {
			await stores.store.close();
			await stores.other.close();
			await database.remove();
		});
		register(() => stores);
	});
}
