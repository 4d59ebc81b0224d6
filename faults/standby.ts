// A standby of a PostgreSQL: a base backup by SQL and a copy of its files, since npm's binaries have no pg_basebackup.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, rmSync, writeFileSync } from "node:fs";
import { Client } from "pg";
import { runPostgres } from "../harness/postgres/process.ts";
import type { PostgresServer } from "../harness/postgres/server.ts";
import { temporaryFolder } from "../harness/temporary.ts";

/** `source` is the address that it follows, and goes on following when another server answers there. */
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
	const own = {
		backup_label: label,
		"standby.signal": "",
		"postgresql.auto.conf": `primary_conninfo = '${toConnectionInfo(source)}'\n`,
	};
	for (const [name, text] of Object.entries(own)) {
		writeFileSync(`${data}/${name}`, text);
		chownSync(`${data}/${name}`, uid, gid);
	}
	const installation = { ...primary, folder: folder.path, data };
	const postgres = await runPostgres(installation, settings);
	const url = new URL(primary.url);
	url.port = String(postgres.port);
	return {
		...{ ...installation, ...postgres, url: url.href },
		async remove() {
			await postgres.stop("SIGQUIT");
			postgres.forget();
			folder.remove();
		},
	};
}

/** Returns the label that belongs into the copy. */
async function backUp(primary: PostgresServer, data: string): Promise<string> {
	const client = new Client(primary.url);
	await client.connect();
	await client.query("SELECT pg_backup_start('standby', true)");
	// As its owner, and not by this process, whose clients go on. A file that vanishes meanwhile makes it complain, and is
	// no loss: the log since the start of the backup tells of it.
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
