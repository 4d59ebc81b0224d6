// Services that a scenario kills, stops and starts again on the same database.
import { openStore } from "../src/store/store.ts";
import { makeKey } from "../test/harness/key.ts";
import type { PostgresServer } from "../test/harness/postgres/server.ts";
import { type Running, serve } from "../test/harness/process.ts";

/** What a scenario breaks. */
export interface Target {
	/** The command line of this project, or of a copy with a planted fault. */
	readonly program: string;
	/** A folder that no other scenario uses. */
	readonly folder: string;
}

/** The PETSTORE_API_KEY of every service in a scenario. */
export const apiKey = "a-key-known-to-the-faults";

export interface Service {
	/** Changes with every start. */
	readonly url: () => string;
	readonly pid: () => number;
	readonly start: () => Promise<void>;
	/** Sends SIGKILL and resolves when the process has ended. */
	readonly kill: () => Promise<void>;
	/** Sends SIGTERM and resolves when the process has ended with status 0. */
	readonly stop: () => Promise<void>;
}

/** What the services of a scenario use. */
export interface Database {
	readonly databaseUrl: string;
	/** That of a PostgreSQL database. */
	readonly server?: PostgresServer;
}

/** The SQLite file of a scenario. */
export function fileIn({ folder }: Pick<Target, "folder">): string {
	return `${folder}/petstore.db`;
}

/** On the file of the scenario, or on another database. */
export async function openService(
	target: Target,
	{
		databaseUrl = `sqlite:${fileIn(target)}`,
		env = {},
	}: { databaseUrl?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<Service> {
	let service: Running & { url: string };
	const start = async () => {
		service = await serve(["--database", databaseUrl], {
			program: target.program,
			cwd: target.folder,
			env: { PETSTORE_API_KEY: apiKey, ...env },
		});
	};
	await start();
	return {
		url: () => service.url,
		pid: () => service.pid,
		start,
		async kill() {
			service.kill("SIGKILL");
			await service.finished;
		},
		async stop() {
			const { status, stderr } = await service.stop();
			if (status !== 0)
				throw new Error(`a stop ended with status ${status}: ${stderr}`);
		},
	};
}

/** Adds an operator key to the database, which it creates if there is none. */
export async function makeOperatorKey(databaseUrl: string): Promise<string> {
	const store = await openStore(databaseUrl, { access: "create" });
	const { key, record } = makeKey({ scope: "operator" });
	await store.keys.add(record);
	await store.close();
	return key;
}
