// A PostgreSQL server with standbys, one of which can take its place.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, rmSync, writeFileSync } from "node:fs";
import { Client, type QueryResultRow } from "pg";
import { runPostgres } from "../test/harness/postgres/process.ts";
import { startProxy } from "../test/harness/postgres/proxy.ts";
import {
	type PostgresServer,
	startPostgres,
} from "../test/harness/postgres/server.ts";
import { temporaryFolder } from "../test/harness/temporary.ts";

export interface Setup {
	readonly standbys: number;
	/** Whether one of the standbys must have a commit before it counts. */
	readonly isSynchronous: boolean;
	/** How much longer each flush takes. */
	readonly flushMs: number;
}

export type Servers = Awaited<ReturnType<typeof startServers>>;

export async function startServers({
	standbys: count,
	isSynchronous,
	flushMs,
}: Setup) {
	const settings = [
		...["max_connections=60", "wal_retrieve_retry_interval=100ms"],
		...["wal_keep_size=256MB", "max_wal_size=64MB", "min_wal_size=32MB"],
		...(isSynchronous ? ["synchronous_standby_names=ANY 1 (*)"] : []),
	];
	const first = await startPostgres(settings, { flushMs });
	let primary = first;
	/** What clients and standbys connect to. */
	const [proxy, stream] = await Promise.all([
		startProxy(first.url),
		startProxy(first.url),
	]);
	let standbys: readonly PostgresServer[] = [];
	async function addStandbys(): Promise<void> {
		while (standbys.length < count)
			standbys = [
				...standbys,
				await startStandby(primary, stream.url, settings),
			];
	}
	await addStandbys();
	return {
		proxy,
		primary: () => primary,
		/** Kills the primary and promotes a standby. What happens `before` finds the new primary without clients. */
		async failOver(before: (url: string) => Promise<unknown>): Promise<void> {
			if (!isSynchronous) {
				stream.hold();
				await Bun.sleep(100);
			}
			const killed = primary;
			await killed.stop("SIGKILL");
			primary = await choose(standbys);
			standbys = standbys.filter((standby) => standby !== primary);
			await queryRow(primary, "SELECT pg_promote()");
			stream.moveTo(primary.url);
			stream.restore();
			await before(primary.url);
			proxy.moveTo(primary.url);
			// All servers use the binaries in the first one's folder.
			if (killed !== first) await killed.remove();
		},
		/** Replaces the standby that was promoted. */
		addStandbys,
		async remove(): Promise<void> {
			for (const one of [proxy, stream]) one.close();
			for (const server of new Set([...standbys, primary, first]))
				await server.remove();
		},
	};
}

/** The standby that has received the most, because only that one is sure to have every commit that one of them has confirmed. */
async function choose(
	standbys: readonly PostgresServer[],
): Promise<PostgresServer> {
	const received = await Promise.all(standbys.map(lastReceived));
	const most = received.reduce((a, b) => (a > b ? a : b));
	const chosen = standbys[received.indexOf(most)];
	if (chosen === undefined) throw new Error("there is no standby");
	return chosen;
}

/** Waits until the standby has noticed that the primary is gone, and returns its last WAL position. */
async function lastReceived(standby: PostgresServer): Promise<bigint> {
	for (;;) {
		const { isReceiving, at } = await queryRow<{
			isReceiving: boolean;
			at: string;
		}>(
			standby,
			`SELECT EXISTS (SELECT FROM pg_stat_wal_receiver WHERE status = 'streaming') AS "isReceiving",
				pg_last_wal_receive_lsn() - '0/0'::pg_lsn AS at`,
		);
		if (!isReceiving) return BigInt(at);
		await Bun.sleep(5);
	}
}

export async function queryRow<Row extends QueryResultRow>(
	{ url }: PostgresServer,
	sql: string,
): Promise<Row> {
	const client = new Client(url);
	await client.connect();
	const { rows } = await client.query<Row>(sql);
	await client.end();
	const [row] = rows;
	if (row === undefined) throw new Error(`no row from ${sql}`);
	return row;
}

/** It streams from `source`. */
async function startStandby(
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
