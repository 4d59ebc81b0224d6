// The databases that servers are measured on. Each is made once by the server's own program, and copied for every process.
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, rmSync } from "node:fs";
import {
	execute,
	type PostgresServer,
	startPostgres,
} from "../test/harness/postgres/server.ts";
import { run } from "../test/harness/process.ts";
import { temporaryFolder } from "../test/harness/temporary.ts";
import { type Contender, peerKey } from "./contenders.ts";
import { connections } from "./load.ts";
import { startServer } from "./server.ts";

export type Engine = "sqlite" | "postgres";

export interface Keys {
	readonly key: string;
	readonly operatorKey: string;
}

export interface Catalogue extends Keys {
	/** As the command of the contender expects it: a URL or a path. */
	readonly location: string;
	readonly remove: () => Promise<void>;
}

export interface Catalogues {
	readonly copy: (
		contender: Contender,
		engine: Engine,
		animals: number,
	) => Promise<Catalogue>;
	readonly close: () => Promise<void>;
}

export function openCatalogues(): Catalogues {
	const folder = temporaryFolder();
	const made = new Map<string, Promise<Keys>>();
	let postgres: PostgresServer | undefined;
	let copies = 0;

	const make = (
		contender: Contender,
		engine: Engine,
		name: string,
		animals: number,
	) => {
		const known = made.get(name);
		if (known !== undefined) return known;
		const making =
			engine === "postgres"
				? makePostgres(contender, name, animals)
				: fill(contender, `${folder.path}/${name}`, animals);
		made.set(name, making);
		return making;
	};
	const makePostgres = async (
		contender: Contender,
		name: string,
		animals: number,
	) => {
		postgres ??= await startPostgres();
		await execute(postgres.url, `CREATE DATABASE ${name}`);
		const url = toUrl(postgres.url, name);
		const keys = await fill(contender, url, animals);
		await execute(url, "VACUUM ANALYZE");
		return keys;
	};
	return {
		async copy(contender, engine, animals) {
			const words = `${engine} ${contender.name} ${animals}`.toLowerCase();
			const name = words.replaceAll(/\W/g, "_");
			const keys = await make(contender, engine, name, animals);
			const copy = `copy_${copies++}`;
			if (engine === "postgres" && postgres !== undefined) {
				const { url } = postgres;
				await execute(url, `CREATE DATABASE ${copy} TEMPLATE ${name}`);
				await execute(url, "CHECKPOINT");
				return {
					...keys,
					location: toUrl(url, copy),
					remove: () => execute(url, `DROP DATABASE ${copy} WITH (FORCE)`),
				};
			}
			const original = `${folder.path}/${name}`;
			const path = `${folder.path}/${copy}`;
			copyFile(original, path);
			return {
				...keys,
				location: contender.kind === "service" ? `sqlite:${path}` : path,
				remove: async () => removeFile(path),
			};
		},
		async close() {
			await postgres?.remove();
			folder.remove();
		},
	};
}

/** `place` is the path of a SQLite file, or a URL. */
async function fill(
	contender: Contender,
	place: string,
	animals: number,
): Promise<Keys> {
	if (contender.kind !== "service") {
		await fillPeer(contender, place, animals);
		return { key: peerKey, operatorKey: "" };
	}
	const { program } = contender;
	const database = place.startsWith("postgres:") ? place : `sqlite:${place}`;
	const command = async (...args: readonly string[]) => {
		const all = [...args, "--database", database];
		const done = await run(all, { program, cwd: "/" });
		if (done.status !== 0)
			throw new Error(`${program} ${args[0]}: ${done.stderr}`);
		return done.stdout.trim();
	};
	const key = await command("keys", "create", "--name", "client");
	const operatorKey = await command(
		...["keys", "create", "--name", "operator", "--scope", "operator"],
	);
	const folder = temporaryFolder();
	const file = `${folder.path}/animals.ndjson`;
	for (let first = 1; first <= animals; first += maxImport) {
		writeAnimals(file, first, Math.min(first + maxImport - 1, animals));
		await command("import", file);
		rmSync(file);
	}
	folder.remove();
	return { key, operatorKey };
}

/** The most animals of a file that can be imported. */
const maxImport = 1_000_000;

function writeAnimals(file: string, first: number, last: number): void {
	for (let number = first; number <= last; number += 10_000) {
		const end = Math.min(number + 9_999, last);
		const lines = range(number, end).map(
			(one) => `${JSON.stringify(toAnimal(one))}\n`,
		);
		appendFileSync(file, lines.join(""));
	}
}

/** Over HTTP, because peers have no commands. */
async function fillPeer(
	contender: Contender,
	path: string,
	animals: number,
): Promise<void> {
	const server = await startServer(contender, path, peerKey);
	for (let first = 1; first <= animals; first += connections)
		await Promise.all(
			range(first, Math.min(first + connections - 1, animals)).map((number) =>
				fetch(`${server.url}/v1/pets`, {
					method: "POST",
					headers: {
						Authorization: `Bearer ${peerKey}`,
						"Content-Type": "application/json",
					},
					body: JSON.stringify(toAnimal(number)),
				}),
			),
		);
	await server.stop();
}

function toAnimal(number: number) {
	return {
		name: number === 1 ? oldest : `${names[number % names.length]} ${number}`,
		categoryId: number % 1_000,
		status: statuses[number % statuses.length],
	};
}

/** The name of the first animal, which no other has. */
export const oldest = "Quagga";
const names = ["Rex", "Bella", "Luna", "Max", "Misty", "Charlie"];
const statuses = ["available", "pending", "sold"];

function range(first: number, last: number): readonly number[] {
	return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const suffixes = ["", "-wal"];

function copyFile(from: string, to: string): void {
	for (const suffix of suffixes)
		if (existsSync(from + suffix))
			execFileSync("cp", ["--reflink=auto", from + suffix, to + suffix]);
}

function removeFile(path: string): void {
	for (const suffix of [...suffixes, "-shm"])
		rmSync(path + suffix, { force: true });
}

function toUrl(server: string, database: string): string {
	const url = new URL(server);
	url.pathname = database;
	return url.href;
}
