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
import { shareCores, startServer } from "./server.ts";

export type Engine = "sqlite" | "postgres";

export interface Keys {
	readonly key: string;
	readonly operatorKey: string;
}

/** Without a number of categories the animals have 1,000. */
export type Size = number | readonly [animals: number, categories: number];

export interface Catalogue extends Keys {
	/** As the command of the contender expects it: a URL or a path. */
	readonly location: string;
	readonly remove: () => Promise<void>;
}

export interface Catalogues {
	readonly copy: (
		contender: Contender,
		engine: Engine,
		size: Size,
		/** Of a PostgreSQL that shares all cores: how much longer each flush takes. */
		flushMs?: number,
	) => Promise<Catalogue>;
	readonly close: () => Promise<void>;
}

export function openCatalogues(): Catalogues {
	const folder = temporaryFolder();
	const made = new Map<string, Promise<Keys>>();
	const servers = new Map<number | undefined, Promise<PostgresServer>>();
	let copies = 0;

	const make = (contender: Contender, place: string, size: Size) => {
		const known = made.get(place);
		if (known !== undefined) return known;
		const making = fill(contender, place, size);
		made.set(place, making);
		return making;
	};
	const openServer = async (flushMs: number | undefined) => {
		if (flushMs === undefined) return startPostgres();
		const server = await startPostgres(["max_connections=200"], { flushMs });
		shareCores(server.pid());
		return server;
	};
	const copyPostgres = async (
		contender: Contender,
		name: string,
		size: Size,
		flushMs: number | undefined,
	) => {
		const starting = servers.get(flushMs) ?? openServer(flushMs);
		servers.set(flushMs, starting);
		const { url } = await starting;
		const place = toUrl(url, name);
		const isNew = !made.has(place);
		if (isNew) await execute(url, `CREATE DATABASE ${name}`);
		const keys = await make(contender, place, size);
		if (isNew) await execute(place, "VACUUM ANALYZE");
		const copy = `copy_${copies++}`;
		await execute(url, `CREATE DATABASE ${copy} TEMPLATE ${name}`);
		await execute(url, "CHECKPOINT");
		return {
			...keys,
			location: toUrl(url, copy),
			remove: () => execute(url, `DROP DATABASE ${copy} WITH (FORCE)`),
		};
	};
	return {
		async copy(contender, engine, size, flushMs) {
			const words = `${engine} ${contender.name} ${size}`.toLowerCase();
			const name = words.replaceAll(/\W/g, "_");
			if (engine === "postgres")
				return copyPostgres(contender, name, size, flushMs);
			const original = `${folder.path}/${name}`;
			const keys = await make(contender, original, size);
			const path = `${folder.path}/copy_${copies++}`;
			copyFile(original, path);
			return {
				...keys,
				location: contender.kind === "service" ? `sqlite:${path}` : path,
				remove: async () => removeFile(path),
			};
		},
		async close() {
			for (const server of servers.values()) await (await server).remove();
			folder.remove();
		},
	};
}

/** `place` is the path of a SQLite file, or a URL. */
async function fill(
	contender: Contender,
	place: string,
	size: Size,
): Promise<Keys> {
	const [animals, categories] = toSize(size);
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
		const last = Math.min(first + maxImport - 1, animals);
		writeAnimals(file, first, last, categories);
		await command("import", file);
		rmSync(file);
	}
	folder.remove();
	return { key, operatorKey };
}

/** The most animals of a file that can be imported. */
const maxImport = 1_000_000;

export function toSize(size: Size): readonly [number, number] {
	return typeof size === "number" ? [size, 1_000] : size;
}

function writeAnimals(
	file: string,
	first: number,
	last: number,
	categories: number,
): void {
	for (let number = first; number <= last; number += 10_000) {
		const end = Math.min(number + 9_999, last);
		const lines = range(number, end).map(
			(one) => `${JSON.stringify(toAnimal(one, categories))}\n`,
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

function toAnimal(number: number, categories = 1_000) {
	return {
		name: number === 1 ? oldest : `${names[number % names.length]} ${number}`,
		categoryId: number % categories,
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
