// PostgreSQL databases on the server of TEST_DATABASE_URL, or on servers started here from npm's binaries.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, copyFileSync, writeFileSync } from "node:fs";
import { Client } from "pg";
import { temporaryFolder } from "../temporary.ts";
import {
	installBinaries,
	otherBin,
	runPostgres,
	unprivileged,
} from "./process.ts";
import { slowFlush } from "./slow-flush.ts";

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

let shared: ReturnType<typeof openShared> | undefined;

/** A new, empty database on a server that all test files share. */
export async function createDatabase(encoding = "UTF8") {
	shared ??= openShared();
	const { url } = await shared;
	const name = `petstore_test_${randomUUID().replaceAll("-", "")}`;
	await execute(
		url,
		`CREATE DATABASE ${name} ENCODING '${encoding}' TEMPLATE template0 ${quickest}`,
	);
	const database = new URL(url);
	database.pathname = name;
	return {
		url: database.href,
		remove: () => execute(url, `DROP DATABASE ${name} WITH (FORCE)`),
	};
}

const quickest =
	otherBin === undefined
		? "LC_COLLATE 'C' LC_CTYPE 'C' STRATEGY file_copy"
		: "";

export async function removeShared(): Promise<void> {
	await (await shared)?.remove();
}

/** No test crashes the shared server. With syncs, a dropped database would make the tests of other files wait for the disk. */
const unsynced =
	otherBin === undefined ? ["fsync=off", "full_page_writes=off"] : [];

/** A server for the databases of many test files. */
export async function openShared(): Promise<{
	readonly url: string;
	readonly remove: () => Promise<void>;
}> {
	const url = process.env.TEST_DATABASE_URL;
	return url === undefined
		? startPostgres(unsynced)
		: { url, remove: async () => {} };
}

/** Changes a setting of the server for all its sessions. */
export async function alterSystem(url: string, change: string): Promise<void> {
	const before = await readLoadTime(url);
	await execute(url, `ALTER SYSTEM ${change}`);
	await execute(url, "SELECT pg_reload_conf()");
	// The server reads it a moment later, and then tells the other sessions.
	while ((await readLoadTime(url)) === before) await Bun.sleep(5);
}

/** When the server has read its settings, as a new session sees it. */
async function readLoadTime(url: string): Promise<string> {
	const client = new Client({ connectionString: url });
	await client.connect();
	const { rows } = await client.query("SELECT pg_conf_load_time()::text AS at");
	await client.end();
	return rows[0].at;
}

export async function execute(url: string, sql: string): Promise<void> {
	await countRows(url, sql);
}

export async function countRows(url: string, sql: string): Promise<number> {
	const client = new Client({ connectionString: url });
	await client.connect();
	const { rowCount } = await client.query(sql).finally(() => client.end());
	return rowCount ?? 0;
}

/** Ends every other session on this database, and returns their number. */
export function terminateSessions(url: string): Promise<number> {
	return countRows(
		url,
		`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE pid <> pg_backend_pid() AND datname = current_database()`,
	);
}

interface ServerOptions {
	readonly tls?: { certificate: string; key: string };
	/** A folder. Without it, the binaries are npm's. */
	readonly binaries?: string | undefined;
	/** How much longer each flush to the disk takes. */
	readonly flushMs?: number;
}

/** Starts a new server. The caller may stop and restart it. */
export async function startPostgres(
	settings: readonly string[] = [],
	{ tls, binaries, flushMs = 0 }: ServerOptions = {},
) {
	const folder = temporaryFolder();
	const user = unprivileged();
	if (binaries !== undefined) chmodSync(folder.path, 0o755);
	const bin = binaries ?? installBinaries(folder.path, user);
	const data = `${folder.path}/data`;
	const password = randomUUID();
	writeFileSync(`${folder.path}/password`, password);
	const encryption: string[] = [];
	if (tls !== undefined) {
		// PostgreSQL refuses a key file that another user owns or can read.
		copyFileSync(tls.certificate, `${folder.path}/tls.crt`);
		copyFileSync(tls.key, `${folder.path}/tls.key`);
		chmodSync(`${folder.path}/tls.key`, 0o600);
		encryption.push("ssl=on", `ssl_cert_file=${folder.path}/tls.crt`);
		encryption.push(`ssl_key_file=${folder.path}/tls.key`);
	}
	const env = flushMs > 0 ? slowFlush(folder.path, flushMs) : {};
	execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, folder.path]);
	execFileSync(
		`${bin}/initdb`,
		[
			...[
				"--pgdata",
				data,
				"--username",
				"petstore",
				"--auth",
				"scram-sha-256",
			],
			...["--pwfile", `${folder.path}/password`, "--encoding", "UTF8"],
			...(otherBin === undefined ? ["--locale", "C"] : []),
			"--no-sync",
		],
		{ ...user, cwd: folder.path, stdio: "pipe" },
	);
	const installation = { bin, user, folder: folder.path, data, env };
	const postgres = await runPostgres(installation, [
		...settings,
		...encryption,
	]);
	return {
		...postgres,
		...installation,
		password,
		/** Of the database "postgres", as superuser. */
		url: `postgres://petstore:${password}@127.0.0.1:${postgres.port}/postgres`,
		async remove(): Promise<void> {
			await postgres.stop("SIGQUIT");
			postgres.forget();
			folder.remove();
		},
	};
}
