// Copies of the service on one database while copies are killed, or while the server crashes, loses a reply, or is replaced by a standby.
import { writeFileSync } from "node:fs";
import type { PostgresServer } from "../../test/harness/postgres/server.ts";
import { stallFlushes } from "../../test/harness/postgres/slow-flush.ts";
import { run, waitFor } from "../../test/harness/process.ts";
import { type Fault, inject } from "../inject.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import { queryRow, type Setup, startServers } from "../servers.ts";
import type { Database } from "../service.ts";

/** One of two services, or both. */
export function killDuringAdds(
	options: ScenarioOptions,
	{ databaseUrl }: Database,
): Promise<Result> {
	const kill: Fault = async ({ copies }) => {
		const [one, other] = Math.random() < 0.5 ? copies : copies.toReversed();
		const killed = [one, Math.random() < 0.5 ? other : undefined];
		await Promise.all(killed.map((copy) => copy?.kill()));
		await Promise.all(killed.map((copy) => copy?.start()));
	};
	return inject(options, {
		...{ databaseUrl, copies: 2, adders: 32, faults: [kill] },
		killsService: true,
	});
}

/** `kill -9` of a copy, or a crash of the server. */
export function killCopies(
	options: ScenarioOptions,
	{ databaseUrl, server }: Database,
): Promise<Result> {
	const kill: Fault = async ({ copies, round }) => {
		const copy = copies[round % copies.length];
		await copy?.kill();
		await copy?.start();
	};
	const faults = [kill, kill, ...(server ? [() => crash(server)] : [])];
	return inject(options, {
		...{ databaseUrl, copies: 2, faults, killsService: true },
	});
}

/** The copies get an answer to every request. */
export async function breakServer(
	options: ScenarioOptions,
	setup: Setup,
): Promise<Result> {
	const { program, folder } = options;
	const servers = await startServers(setup);
	const { proxy, primary } = servers;
	let lostByServer = 0;

	/** PostgreSQL then ends all other sessions, and loses what was not flushed. */
	async function killSession(): Promise<void> {
		const anySession =
			"SELECT pid FROM pg_stat_activity WHERE application_name = 'petstore' ORDER BY random() LIMIT 1";
		await stallFlushes(primary(), async () => {
			await Bun.sleep(stallMs);
			// Only now: the copies end sessions, too.
			const { pid } = await queryRow<{ pid: number }>(primary(), anySession);
			process.kill(pid, "SIGKILL");
		});
	}

	/** PostgreSQL runs the statement. */
	async function loseReply(): Promise<void> {
		const before = proxy.droppedReplies();
		proxy.dropReplyTo("COMMIT");
		await waitFor(() => proxy.droppedReplies() > before, "no add was sent");
	}

	const failOver: Fault = async (load) => {
		const { witnesses, copies, wrong, round } = load;
		const position = witnesses.position();
		await servers.failOver(async (url) => {
			if (setup.isSynchronous) return;
			lostByServer += (await witnesses.verify([url])).lost.length;
			witnesses.forget();
			// In every other round other commits pass the positions that were lost.
			if (round % 2 === 0) return;
			const file = `${folder}/animals.ndjson`;
			writeFileSync(file, '{"name":"later","categoryId":1}\n'.repeat(5_000));
			const env = { PETSTORE_DATABASE: url };
			await run(["import", file], { program, cwd: folder, env });
		});
		for (const { url } of copies)
			await waitFor(async () => {
				const path = `/operator/v1/changes?after=${position}`;
				const headers = { Authorization: `Bearer ${load.key}` };
				const { status } = await fetch(url() + path, { headers });
				if (![410, 503].includes(status))
					wrong.push(`a position before the failover was answered ${status}`);
				return status !== 503;
			});
	};

	const hasStandby = setup.standbys > 0;
	const { figures, wrong } = await inject(options, {
		copies: 4,
		databaseUrl: proxy.url,
		currentUrl: () => primary().url,
		faults: hasStandby
			? [failOver]
			: [loseReply, () => crash(primary()), killSession],
		beginsEpochs: hasStandby,
		repair: servers.addStandbys,
	}).finally(servers.remove);
	if (!hasStandby || setup.isSynchronous) return { figures, wrong };
	return {
		figures: [...figures, `${lostByServer} lost by the server`],
		wrong: [...wrong, ...(lostByServer > 0 ? [] : ["the server lost nothing"])],
	};
}

async function crash(server: PostgresServer): Promise<void> {
	await stallFlushes(server, async () => {
		await Bun.sleep(stallMs);
		await server.stop("SIGQUIT");
	});
	await Bun.sleep(Math.random() * 100);
	await server.start();
}

/** Before a crash. Who does not wait for a flush shows what the crash then takes back. */
const stallMs = 250;
