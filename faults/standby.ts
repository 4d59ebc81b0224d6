// A standby of a PostgreSQL server. Its base backup uses SQL and cp, because npm's binaries have no pg_basebackup.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, rmSync, writeFileSync } from "node:fs";
import { Client } from "pg";
import { runPostgres } from "../test/harness/postgres/process.ts";
import type { PostgresServer } from "../test/harness/postgres/server.ts";
import { temporaryFolder } from "../test/harness/temporary.ts";

/** The standby streams from `source`, even after a failover has moved that address to another server. */
export async function startStandby(
	primary: PostgresServer,
	source: string,
	settings: readonly string[],
): Promise<PostgresServer> {
	const folder = temporaryFolder();
	const { uid, gid } = primary.user;
	chownSync(folder.path, uid, gid);
	const data = `${folder.path}/data`;
	const label = await backUp(primary, data);
	const ownFiles = {
		backup_label: label,
		"standby.signal": "",
		"postgresql.auto.conf": `primary_conninfo = '${toConnectionInfo(source)}'\n`,
	};
	for (const [name, text] of Object.entries(ownFiles)) {
		writeFileSync(`${data}/${name}`, text);
		chownSync(`${data}/${name}`, uid, gid);
	}
	const installation = { ...primary, folder: folder.path, data };
	const postgres = await runPostgres(installation, settings);
	const url = new URL(primary.url);
	url.port = String(postgres.port);
	return {
		...installation,
		...postgres,
		url: url.href,
		async remove() {
			await postgres.stop("SIGQUIT");
			postgres.forget();
			folder.remove();
		},
	};
}

/** Copies the data folder. Returns the text of the backup_label file that the copy needs. */
async function backUp(primary: PostgresServer, data: string): Promise<string> {
	const client = new Client(primary.url);
	await client.connect();
	await client.query("SELECT pg_backup_start('standby', true)");
	// In its own process, because the clients run in this one, and as the owner of the files. cp reports an error if a file is deleted before
	// it is copied. That is harmless: the WAL since the start of the backup includes the deletion.
	const copying = spawn("cp", ["-a", primary.data, data], {
		...primary.user,
		stdio: "ignore",
	});
	await once(copying, "exit");
	const { rows } = await client.query<{ labelfile: string }>(
		"SELECT labelfile FROM pg_backup_stop(false)",
	);
	await client.end();
	for (const old of ["postmaster.pid", "postmaster.opts"])
		rmSync(`${data}/${old}`, { force: true });
	return rows[0]?.labelfile ?? "";
}

function toConnectionInfo(url: string): string {
	const { hostname, port, username, password } = new URL(url);
	return `host=${hostname} port=${port} user=${username} password=${password}`;
}
