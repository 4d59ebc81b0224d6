// The primary is killed, a synchronous standby is promoted, and the address of the database moves to it.
import { Client, type QueryResultRow } from "pg";
import {
	type PostgresProxy,
	startProxy,
} from "../../test/harness/postgres/proxy.ts";
import {
	type PostgresServer,
	startPostgres,
} from "../../test/harness/postgres/server.ts";
import { injectUnderLoad } from "../injection/inject.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import { openPair } from "../service.ts";
import { startStandby } from "../standby.ts";

export async function failOver(options: ScenarioOptions): Promise<Result> {
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
		const copies = await openPair(options, proxy.url);
		const result = await injectUnderLoad(options, {
			writers: 16,
			pauseMs: 10,
			url: copies.url,
			async inject({ measureRecovery }) {
				await primary.stop("SIGKILL");
				const recovered = measureRecovery();
				const killed = primary;
				primary = await promote(standbys, proxy);
				standbys = standbys.filter((standby) => standby !== primary);
				const ms = await recovered;
				// All servers use the binaries in the first one's folder.
				if (killed !== first) await killed.remove();
				await addStandby();
				return ms;
			},
		});
		await copies.stop();
		return result;
	} finally {
		proxy.close();
		for (const server of new Set([...standbys, primary, first]))
			await server.remove();
	}
}

/** A commit waits for one of the two standbys, so commits continue while one standby is missing. */
const settings = [
	...["max_connections=20", "synchronous_standby_names=ANY 1 (*)"],
	...["wal_keep_size=256MB", "max_wal_size=64MB", "min_wal_size=32MB"],
	"wal_retrieve_retry_interval=100ms",
];

/**
 * Promotes the standby that has received the most WAL, because only that one is sure to have every acknowledged commit. The other one then
 * streams from it, through the proxy.
 */
async function promote(
	standbys: readonly PostgresServer[],
	proxy: PostgresProxy,
): Promise<PostgresServer> {
	const received = await Promise.all(standbys.map(lastReceived));
	const most = received.reduce((a, b) => (a > b ? a : b));
	const chosen = standbys[received.indexOf(most)];
	if (chosen === undefined) throw new Error("there is no standby");
	await queryRow(chosen, "SELECT pg_promote()");
	proxy.moveTo(chosen.url);
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

async function queryRow<Row extends QueryResultRow>(
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
