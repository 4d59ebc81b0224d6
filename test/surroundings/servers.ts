// Databases of PostgreSQL as others set them up: servers, roles with settings, names, a pooler in front.
import { execFileSync } from "node:child_process";
import {
	chmodSync,
	chownSync,
	existsSync,
	readdirSync,
	writeFileSync,
} from "node:fs";
import { freePort } from "../harness/free-port.ts";
import { execute, startPostgres } from "../harness/postgres/server.ts";
import { start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { asOther, other } from "./machine.ts";

export interface Postgres {
	/** The folder of the server's binaries; by default those of npm. */
	readonly server?: string;
	/** A language in which the server can write its messages, beside English. */
	readonly language?: string;
	/** Of the role, as "name = value". */
	readonly settings?: readonly string[];
	/** The name of the database, as in a URL. */
	readonly path?: string;
	/** Of the database, as in CREATE DATABASE. */
	readonly options?: string;
	/** The role has only a schema of its own, and may make none. */
	readonly ownsSchema?: true;
	/** Behind PgBouncer, in this mode. */
	readonly pooler?: "session" | "transaction" | "statement";
}

const debian = "/usr/lib/postgresql";
/** Of Debian's packages, and of the variable POSTGRES_BINARIES. */
export const installedServers = [
	...(existsSync(debian) ? readdirSync(debian) : []).map(
		(version) => `${debian}/${version}/bin`,
	),
	...(process.env.POSTGRES_BINARIES?.split(":") ?? []),
]
	.filter((binaries) => existsSync(`${binaries}/postgres`))
	.map((binaries) => ({ binaries, version: readVersion(binaries) }));

function readVersion(binaries: string): string {
	const asked = [`${binaries}/postgres`, ["--version"]] as const;
	return execFileSync(...asked, { encoding: "utf8" })
		.replace("postgres (PostgreSQL)", "PostgreSQL")
		.trim();
}

const servers = new Map<string, ReturnType<typeof startPostgres>>();

/** As its binaries set it up. All surroundings share it. */
function serverOf({ server, language }: Postgres) {
	const key = `${server} ${language}`;
	const started = servers.get(key) ?? startServer(server, language);
	servers.set(key, started);
	return started;
}

function startServer(server?: string, language?: string) {
	if (language === undefined) return startPostgres([], { binaries: server });
	const folder = temporaryFolder().path;
	chmodSync(folder, 0o755);
	const made = `${folder}/${language}.UTF-8`;
	execFileSync("localedef", ["-i", language, "-f", "UTF-8", made]);
	// The servers that start now inherit it.
	process.env.LOCPATH = folder;
	return startPostgres([], { binaries: server }).finally(() => {
		delete process.env.LOCPATH;
	});
}

export async function removeServers(): Promise<void> {
	for (const server of servers.values()) await (await server).remove();
}

let made = 0;

/** A new database, with a role of its own that has no other rights. */
export async function openDatabase(how: Postgres) {
	const { url, port } = await serverOf(how);
	const role = `guest_${++made}`;
	const { path = role, settings = [], options = "" } = how;
	const name = decodeURIComponent(path);
	const owner = how.ownsSchema ? "petstore" : role;
	await execute(url, `CREATE ROLE ${role} LOGIN PASSWORD '${role}'`);
	await execute(url, `CREATE DATABASE "${name}" OWNER ${owner} ${options}`);
	const database = new URL(url);
	database.pathname = path;
	if (how.ownsSchema)
		await execute(
			database.href,
			`CREATE SCHEMA petstore AUTHORIZATION ${role}`,
		);
	for (const setting of settings)
		await execute(url, `ALTER ROLE ${role} SET ${setting}`);
	database.username = database.password = role;
	const pooler = how.pooler && (await openPooler(port, role, how.pooler));
	if (pooler) database.port = String(pooler.port);
	return {
		url: database.href,
		async remove() {
			await pooler?.close();
			await execute(url, `DROP DATABASE "${name}" WITH (FORCE)`);
			await execute(url, `DROP ROLE ${role}`);
		},
	};
}

/** With its defaults, but for who may connect. */
async function openPooler(server: number, role: string, mode: string) {
	using folder = temporaryFolder();
	const port = await freePort();
	const file = `${folder.path}/pgbouncer.ini`;
	const to = `host=127.0.0.1 port=${server} user=${role} password=${role}`;
	writeFileSync(
		file,
		`[databases]
* = ${to}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
	);
	for (const path of [folder.path, file]) chownSync(path, other.uid, other.gid);
	const pooler = start(["env", ...asOther, "pgbouncer", file], { cwd: "/" });
	await pooler.printed(/process up/);
	return { port, close: pooler.stop };
}
