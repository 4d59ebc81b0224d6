// The primary is killed, a synchronous standby is promoted, and the address of the database follows it.
import { Client, type QueryResultRow } from "pg";
import { type PostgresProxy, startProxy } from "../harness/postgres/proxy.ts";
import {
	type PostgresServer,
	startPostgres,
} from "../harness/postgres/server.ts";
import { startCopy, stopCopies } from "./postgres.ts";
import { startStandby } from "./standby.ts";
import type { Tally } from "./tally.ts";
import { type Setting, strikeUnderLoad } from "./trial.ts";

export async function failOver(setting: Setting): Promise<Tally> {
	const first = await startPostgres(settings);
	let primary = first;
	const proxy = await startProxy(primary.url);
	let standbys: readonly PostgresServer[] = [];
	const addStandby = async () => {
		const standby = await startStandby(primary, proxy.url, settings);
		standbys = [...standbys, standby];
	};
	try {
		await addStandby();
		await addStandby();
		const copies = [
			await startCopy(setting, proxy.url),
			await startCopy(setting, proxy.url),
		];
		const tally = await strikeUnderLoad(setting, {
			...{ writers: 16, pauseMs: 10 },
			urls: () => copies.map(({ url }) => url),
			async strike({ recovery }) {
				await primary.stop("SIGKILL");
				const recovered = recovery();
				const dead = primary;
				primary = await promote(standbys, proxy);
				standbys = standbys.filter((standby) => standby !== primary);
				const ms = await recovered;
				// The folder of the first has the programs of all.
				if (dead !== first) await dead.remove();
				await addStandby();
				return ms;
			},
		});
		await stopCopies(copies);
		return tally;
	} finally {
		proxy.close();
		for (const server of new Set([...standbys, primary, first]))
			await server.remove();
	}
}

/** Two standbys, of which one must have an animal before it is acknowledged: so there is always one that may be lost. */
const settings = [
	...["max_connections=20", "synchronous_standby_names=ANY 1 (*)"],
	...["wal_keep_size=256MB", "max_wal_size=64MB", "min_wal_size=32MB"],
	"wal_retrieve_retry_interval=100ms",
];

/** The one that has received most; the other follows it. */
async function promote(
	standbys: readonly PostgresServer[],
	proxy: PostgresProxy,
): Promise<PostgresServer> {
	const received = await Promise.all(standbys.map(lastReceived));
	const most = received.reduce((a, b) => (a > b ? a : b));
	const chosen = standbys[received.indexOf(most)];
	if (chosen === undefined) throw new Error("there is no standby");
	await ask(chosen, "SELECT pg_promote()");
	proxy.moveTo(chosen.url);
	return chosen;
}

/** Once nothing comes from the old primary any more. */
async function lastReceived(standby: PostgresServer): Promise<bigint> {
	for (;;) {
		const { isReceiving, at } = await ask<{ isReceiving: boolean; at: string }>(
			standby,
			`SELECT EXISTS (SELECT FROM pg_stat_wal_receiver WHERE status = 'streaming') AS "isReceiving",
				pg_last_wal_receive_lsn() - '0/0'::pg_lsn AS at`,
		);
		if (!isReceiving) return BigInt(at);
		await Bun.sleep(5);
	}
}

async function ask<Row extends QueryResultRow>(
	{ url }: PostgresServer,
	sql: string,
): Promise<Row> {
	const client = new Client(url);
	await client.connect();
	const { rows } = await client.query<Row>(sql);
	await client.end();
	const [row] = rows;
	if (row === undefined) throw new Error(`no answer to ${sql}`);
	return row;
}
